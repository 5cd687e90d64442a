/**
 * A TCP proxy between the gateway and a simulated SMSC that reports the time and recipient of each submit_sm.
 * It forwards every octet unchanged. Measures submissions outside the gateway.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Cursor } from '../../../simulator/src/smpp/cursor.ts'
import { FrameReader } from '../../../simulator/src/smpp/frames.ts'
import { command, HEADER_BYTES } from '../../../simulator/src/smpp/protocol.ts'
import { readSubmission } from '../../../simulator/src/smpp/read.ts'

export interface TappedSubmit {
  /** Time by performance.now(). */
  readonly at: number
  readonly to: string
}

export class SmppTap {
  readonly #server: Server
  readonly #onSubmit: (submit: TappedSubmit) => void
  readonly #sockets = new Set<Socket>()

  private constructor(simulatorPort: number, onSubmit: (submit: TappedSubmit) => void) {
    this.#onSubmit = onSubmit
    this.#server = createServer({ noDelay: true }, (client) => this.#join(client, simulatorPort))
  }

  static async open(simulatorPort: number, onSubmit: (submit: TappedSubmit) => void): Promise<SmppTap> {
    const tap = new SmppTap(simulatorPort, onSubmit)
    tap.#server.listen(0, '127.0.0.1')
    await once(tap.#server, 'listening')
    return tap
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #join(client: Socket, simulatorPort: number): void {
    const carrier = connect({ port: simulatorPort, host: '127.0.0.1', noDelay: true })
    const frames = new FrameReader()
    client.on('data', (chunk) => {
      const at = performance.now()
      frames.push(chunk, (bytes, start, end) => {
        if (bytes.readUInt32BE(start + 4) === command.submit_sm) {
          const cursor = new Cursor(bytes, start + HEADER_BYTES, end)
          this.#onSubmit({ at, to: readSubmission(cursor, command.submit_sm).to.digits })
        }
        return true
      })
    })
    for (const [socket, other] of [
      [client, carrier],
      [carrier, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
