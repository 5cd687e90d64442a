"""A client based on aiosmpplib. Usage: aiosmpplib_client.py port system_id password. Reads the commands of
client-program.ts and reports events as lines of JSON."""
import asyncio
import json
import sys

from aiosmpplib import ESME, AbstractHook, DeliverSm, PhoneNumber, SubmitSm, SubmitSmResp
from aiosmpplib.log import CRITICAL
from aiosmpplib.retrytimer import SimpleExponentialBackoff
from aiosmpplib.state import NPI, TON

encodings = {'0': 'gsm0338', '3': 'latin_1', '8': 'ucs2', '14': 'euc_kr'}


def report(**event):
    print(json.dumps(event), flush=True)


class Hook(AbstractHook):
    async def sending(self, smpp_message, pdu, client_id):
        pass

    async def received(self, smpp_message, pdu, client_id):
        if isinstance(smpp_message, SubmitSmResp):
            report(event='answer', n=int(smpp_message.log_id), status=int(smpp_message.command_status), id=smpp_message.message_id)
        elif isinstance(smpp_message, DeliverSm) and smpp_message.is_receipt():
            stat = smpp_message.parse_receipt().get('stat')
            # One log id for all parts: it identifies their message.
            if stat == 'DELIVRD' and smpp_message.log_id:
                report(event='delivered', n=int(smpp_message.log_id))
        elif pdu[4:8] == b'\x80\x00\x00\x09' and pdu[8:12] == b'\0\0\0\0':
            report(event='bound')

    async def send_error(self, smpp_message, error, client_id):
        report(event='error', text=str(error))


async def main():
    esme = ESME('127.0.0.1', int(sys.argv[1]), sys.argv[2], sys.argv[3], enquire_link_interval=0.5, log_level=CRITICAL, hook=Hook())
    # After a throttled response among more than 50 it sends nothing until this period ends; the default is
    # 180 s.
    esme.throttle_handler.sampling_period = 5.0
    running = asyncio.create_task(esme.start())
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := (await reader.readline()).decode().strip():
        command, *words = line.split(' ')
        address = dict(source=PhoneNumber('0234567890', TON.UNKNOWN, NPI.ISDN))
        if command == 'submit':
            n, to, coding, _, text = words
            await esme.broker.enqueue(SubmitSm(
                short_message=bytes.fromhex(text).decode(), encoding=encodings[coding], log_id=n,
                destination=PhoneNumber(to, TON.INTERNATIONAL, NPI.ISDN), **address))
        elif command == 'long':
            n, to, text = words[:3]
            await esme.broker.enqueue(SubmitSm(
                short_message=bytes.fromhex(text).decode(), log_id=n, auto_message_payload=False, esm_class=0x40,
                destination=PhoneNumber(to, TON.INTERNATIONAL, NPI.ISDN), **address))
        elif command == 'unbind':
            await esme.stop()
            await asyncio.wait([running], timeout=10)
            return report(event='unbound')


asyncio.run(main())
