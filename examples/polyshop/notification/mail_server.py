"""A mail server on loopback: writes one line of JSON for each mail to the file that is its argument.

A mail with a Message-ID that it has is not delivered again, as mailboxes do; it is written as a repetition.
"""
import asyncio
import json
import signal
import sys
from email import message_from_bytes

from aiosmtpd.smtp import SMTP


class Mailbox:
    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")
        self.seen = set()

    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content)
        message_id = mail["Message-ID"].strip()
        line = {
            "messageId": message_id,
            "to": mail["To"],
            "subject": mail["Subject"],
            "traceId": mail["X-Trace-Id"],
            "repeated": message_id in self.seen,
        }
        self.seen.add(message_id)
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()
        return "250 Message accepted"


async def main(path):
    loop = asyncio.get_running_loop()
    mailbox = Mailbox(path)
    server = await loop.create_server(lambda: SMTP(mailbox, loop=loop), "127.0.0.1", 0)
    print(f"listening on {server.sockets[0].getsockname()[1]}", flush=True)
    # Ends with its parent, which holds the other end.
    await loop.run_in_executor(None, sys.stdin.buffer.read)


if __name__ == "__main__":
    # Ctrl-C in a terminal is for the driver.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(main(sys.argv[1]))
