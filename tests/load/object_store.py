"""Run an object storage: print its URL, and serve until standard input ends."""

import sys

import boto3
from moto.server import ThreadedMotoServer

BUCKET = "journal"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}

if __name__ == "__main__":
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    url = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
    boto3.client("s3", endpoint_url=url, **KEYS).create_bucket(Bucket=BUCKET)
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.stop()
