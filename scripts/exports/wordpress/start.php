<?php
// What every script here begins with: the request that WordPress expects.
$_SERVER['HTTP_HOST'] = 'harbour.example';
$_SERVER['SERVER_NAME'] = 'harbour.example';
$_SERVER['SERVER_PORT'] = '80';
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
$_SERVER['REQUEST_METHOD'] = 'GET';
$_SERVER['REQUEST_URI'] = '/';
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
