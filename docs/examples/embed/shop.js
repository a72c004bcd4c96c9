"use strict";
// What the checkout tells is for the eyes only: the order is paid when the webhook, or
// GET /api/v1/transactions/{id}, says so to the shop's server.
const news = document.getElementById("news");
document.addEventListener("centavo:paid", () => {
  news.textContent = "Obrigado! Estamos confirmando o pagamento.";
});
