"""A client based on smpplib. Usage: smpplib_client.py port system_id password. Reads the commands of
client-program.ts and reports events as lines of JSON."""
import json
import os
import select
import sys
import time

import smpplib.client
import smpplib.consts
import smpplib.exceptions
import smpplib.gsm
import smpplib.smpp

port, system_id, password = int(sys.argv[1]), sys.argv[2], sys.argv[3]
numbers = {}
state = {}


def report(**event):
    print(json.dumps(event), flush=True)


def answered(pdu):
    report(event='answer', n=numbers.pop(pdu.sequence), status=pdu.status,
           id=(pdu.message_id or b'').decode())


def received(pdu):
    report(event='receipt', octets=pdu.short_message.hex())
    return 0


def connect():
    while True:
        client = smpplib.client.Client('127.0.0.1', port, timeout=10, allow_unknown_opt_params=True)
        client.set_message_sent_handler(answered)
        client.set_message_received_handler(received)
        # A response with an error is passed to the other handler afterwards.
        client.set_error_pdu_handler(lambda pdu: None)
        try:
            client.connect()
            client.bind_transceiver(system_id=system_id, password=password)
        except (smpplib.exceptions.ConnectionError, smpplib.exceptions.PDUError, OSError):
            client.disconnect()
            time.sleep(0.2)
            continue
        numbers.clear()
        state['client'] = client
        return report(event='bound')


def submit(n, to, coding, esm_class, octets):
    pdu = state['client'].send_message(
        source_addr='0234567890', dest_addr_ton=smpplib.consts.SMPP_TON_INTL, dest_addr_npi=smpplib.consts.SMPP_NPI_ISDN,
        destination_addr=to, data_coding=coding, esm_class=esm_class, short_message=octets, registered_delivery=True)
    numbers[pdu.sequence] = n


def obey(line):
    command, *words = line.split(' ')
    client = state['client']
    if command == 'submit':
        n, to, coding, octets, _ = words
        submit(int(n), to, int(coding), 0, bytes.fromhex(octets))
    elif command == 'long':
        n, to, text = words[:3]
        parts, coding, esm_class = smpplib.gsm.make_parts(bytes.fromhex(text).decode())
        for part in parts:
            submit(int(n), to, coding, esm_class, part)
    elif command == 'enquire':
        client.send_pdu(smpplib.smpp.make_pdu('enquire_link', client=client))
    elif command == 'unbind':
        client.unbind()
        report(event='unbound')
        client.disconnect()
        sys.exit(0)


connect()
unread = b''
while True:
    for ready in select.select([0, state['client']._socket], [], [])[0]:
        if ready == 0:
            chunk = os.read(0, 65536)
            if chunk == b'':
                sys.exit(0)
            *lines, unread = (unread + chunk).split(b'\n')
            for one in lines:
                obey(one.decode())
        else:
            try:
                state['client'].read_once()
            except (smpplib.exceptions.ConnectionError, OSError):
                state['client'].disconnect()
                connect()
