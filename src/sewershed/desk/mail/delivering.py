"""Handing a message over: to the mail server that `town.toml` names, or, where it names none, to the folder `mail/`.

What matters is to know whether it went. Until the server has the whole message, it did not; when the line breaks while the
server has it, nobody can tell.
"""

from __future__ import annotations

import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage

from sewershed.ledger import files
from sewershed.ledger.errors import LedgerError
from sewershed.ledger.town import Mail, Town

FOLDER = "mail"
PATIENCE_SECONDS = 30


class NotSent(LedgerError):
    """The message certainly did not go."""


class NotKnown(LedgerError):
    """Whether the message went is not known."""


def deliver(message: EmailMessage, town: Town, name: str) -> None:
    """Hands a message over.

    Edge: in the folder a later message of the same name takes the place of the earlier.

    Args:
        message: with its heads.
        town: says where to.
        name: of the file, where it goes to the folder.

    Raises:
        NotSent: where it certainly did not go.
        NotKnown: where nobody can tell.
    """
    if not town.mail.server:
        folder = town.folder / FOLDER
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            files.put(folder / f"{name}.eml", message.as_bytes())
        except OSError as error:
            raise NotSent(f"{folder} cannot be written: {error.strerror}") from None
        return
    where = f"the mail server {town.mail.server}:{town.mail.port}"
    try:
        server = _connect(town.mail, town.mail_password)
    except (OSError, smtplib.SMTPException) as error:
        raise NotSent(f"{where} cannot be reached, or lets nobody in: {_said(error)}") from None
    try:
        server.send_message(message)
    except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused, smtplib.SMTPNotSupportedError) as error:
        raise NotSent(f"{where} did not take it: {_said(error)}") from None
    except (OSError, smtplib.SMTPException) as error:
        raise NotKnown(f"the line to {where} broke while it had the message: {_said(error)}") from None
    else:
        with suppress(OSError, smtplib.SMTPException):
            server.quit()  # it has the message: what it says to our leaving changes nothing
    finally:
        server.close()


def _connect(mail: Mail, password: str) -> smtplib.SMTP:
    if mail.security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            mail.server, mail.port, timeout=PATIENCE_SECONDS, context=ssl.create_default_context()
        )
    else:
        server = smtplib.SMTP(mail.server, mail.port, timeout=PATIENCE_SECONDS)
    try:
        if mail.security == "starttls":
            server.starttls(context=ssl.create_default_context())
        if mail.user:
            server.login(mail.user, password)
    except BaseException:
        server.close()
        raise
    return server


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error.decode("utf-8", "replace") if isinstance(error.smtp_error, bytes) else error.smtp_error
        return f"{error.smtp_code} {said}"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "; ".join(f"{code} {said.decode('utf-8', 'replace')}" for code, said in error.recipients.values())
    return str(error) or type(error).__name__
