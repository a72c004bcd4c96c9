"""A service on loopback that gives these answers, one after the other, and keeps what it was asked."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from centavo import Centavo

#: The connection ends without an answer.
LOST = "lost"
#: No answer comes until the service ends.
SILENCE = "silence"


def answer(body, status=200, headers=None):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return status, {"Content-Type": "application/json", **(headers or {})}, content


class FakeService:
    def __init__(self, answers, **options):
        self.asked = []
        self._answers = list(answers)
        self._ended = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self):
                service._handle(self)

            do_GET = do_POST = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        given = {"client_id": "app_loja", "api_key": "sk_live_loja", **options}
        self.centavo = Centavo(f"{self.base}/", **given)

    def _handle(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        self.asked.append((handler.command, handler.path, handler.headers, body))
        given = self._answers.pop(0)
        if given == SILENCE:
            self._ended.wait()
        if given in (LOST, SILENCE):
            handler.close_connection = True
            return
        status, headers, content = given
        handler.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    @property
    def keys(self):
        return [headers["Idempotency-Key"] for _, _, headers, _ in self.asked]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
