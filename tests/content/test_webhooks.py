"""Signatures of webhooks."""

from base64 import b64decode

from blog_engine.content.webhooks import webhook_headers
from tests.requirements import requirement


@requirement("webhooks.signature")
def test_a_signature_is_that_of_the_libraries_of_standard_webhooks() -> None:
    # The vector that the tests of its libraries for Go, JavaScript, Java and C# share.
    headers = webhook_headers(
        b'{"test": 2432232314}',
        event_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp=1614265330,
        keys=[b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")],
    )

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
