"""An object storage in a process of its own: says its address, and lasts until its standard input ends."""

import sys

import boto3
from moto.server import ThreadedMotoServer

BUCKET = "journal"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}

if __name__ == "__main__":
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
    boto3.client("s3", endpoint_url=address, **KEYS).create_bucket(Bucket=BUCKET)
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.stop()
