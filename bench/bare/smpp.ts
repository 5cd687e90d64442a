/**
 * A minimal SMPP client: one session, a window, one write per turn of the event loop, no timeouts, reconnects
 * or error codes. Faster than available packages, which makes the baseline strict.
 */
import { once } from 'node:events'
import { connect } from 'node:net'

const headerBytes = 16
const commands = {
  bindTransceiver: 0x09,
  submit: 0x04,
  submitResponse: 0x80000004,
  deliver: 0x05,
  deliverResponse: 0x80000005,
}

export interface Receipt {
  readonly carrierId: string
  readonly result: string
}

export interface BareSmpp {
  submit(from: string, to: string, text: string, onResponse: (carrierId: string) => void): void
}

/**
 * Binds a session. The carrier sends receipts to any session of the system id. A receipt is answered when the
 * promise of `onReceipt` resolves.
 */
export async function bindBare(
  port: number,
  systemId: string,
  window: number,
  onReceipt: (receipt: Receipt) => Promise<void>,
): Promise<BareSmpp> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const open = new Map<number, (carrierId: string) => void>()
  const waiting: (() => void)[] = []
  let out: Buffer[] = []
  let sequence = 1
  let rest: Buffer = Buffer.alloc(0)

  function send(command: number, number: number, body: string, octets?: Buffer): void {
    const length = headerBytes + body.length + (octets?.length ?? 0)
    const pdu = Buffer.allocUnsafe(length)
    pdu.writeUInt32BE(length, 0)
    pdu.writeUInt32BE(command, 4)
    pdu.writeUInt32BE(0, 8)
    pdu.writeUInt32BE(number, 12)
    pdu.write(body, headerBytes, 'latin1')
    octets?.copy(pdu, headerBytes + body.length)
    if (out.push(pdu) === 1) setImmediate(flush)
  }

  function flush(): void {
    socket.write(Buffer.concat(out))
    out = []
  }

  const bound = Promise.withResolvers<undefined>()
  function take(pdu: Buffer): void {
    const number = pdu.readUInt32BE(12)
    switch (pdu.readUInt32BE(4)) {
      case commands.submitResponse: {
        const onResponse = open.get(number)!
        open.delete(number)
        waiting.shift()?.()
        return onResponse(pdu.toString('latin1', headerBytes, pdu.length - 1))
      }
      case commands.deliver: {
        const text = pdu.toString('latin1', headerBytes)
        const [, carrierId, result] = /id:(\S+) .*stat:(\S+)/.exec(text)!
        void onReceipt({ carrierId: carrierId!, result: result! }).then(() =>
          send(commands.deliverResponse, number, '\0'),
        )
        return
      }
      default:
        return bound.resolve(undefined)
    }
  }
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= headerBytes && bytes.length - at >= bytes.readUInt32BE(at)) {
      const end = at + bytes.readUInt32BE(at)
      take(bytes.subarray(at, end))
      at = end
    }
    rest = bytes.subarray(at)
  })
  send(commands.bindTransceiver, sequence, `${systemId}\0secret\0\0\x34\0\0\0`)
  await bound.promise
  return {
    submit(from, to, text, onResponse) {
      const go = (): void => {
        const octets = Buffer.from(text, 'utf16le').swap16()
        const body = `\0\x02\x01${from}\0\x02\x01${to}\0\0\0\0\0\0\x01\0\x08\0${String.fromCharCode(octets.length)}`
        open.set(++sequence, onResponse)
        send(commands.submit, sequence, body, octets)
      }
      if (open.size < window) go()
      else waiting.push(go)
    },
  }
}
