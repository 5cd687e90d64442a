/** An SMPP client for tests of the server: sends PDUs, matches responses, and responds to deliveries as scripted. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { decodePdu, encodePdu, type EncodableBody } from '../../../src/carriers/smpp/codec.ts'
import { Framer } from '../../../src/carriers/smpp/framer.ts'
import type { BindKind, PduKind, Pdu, PduOf } from '../../../src/carriers/smpp/pdu.ts'
import { isResponse } from '../../../src/carriers/smpp/pdu.ts'

export type Delivered = PduOf<'deliver_sm'>

export interface SmppClientOptions {
  /** Status of the response to a delivery; null for no response. */
  readonly answer?: (delivery: Delivered) => number | null
  /** Connects over TLS and trusts this certificate. */
  readonly ca?: string
  readonly localAddress?: string
}

export class SmppClient {
  readonly socket: Socket
  /** Copies of PDUs, because their octets belong to the read buffer. */
  readonly deliveries: { readonly text: string; readonly pdu: Delivered }[] = []
  readonly others: Pdu[] = []
  closed = false
  answer: (delivery: Delivered) => number | null
  readonly #framer = new Framer(65_536)
  readonly #waiting = new Map<number, { resolve: (pdu: Pdu) => void; reject: (error: Error) => void }>()
  #sequence = 0

  private constructor(socket: Socket, { answer = () => 0 }: SmppClientOptions) {
    this.socket = socket
    this.answer = answer
    socket.on('data', (chunk: Buffer) => {
      this.#framer.push(Buffer.from(chunk))
      for (let frame = this.#framer.next(); frame !== null; frame = this.#framer.next())
        this.#handle(decodePdu(frame))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.closed = true
      for (const { reject } of this.#waiting.values()) reject(new Error('the connection was closed'))
      this.#waiting.clear()
    })
  }

  static async connect(port: number, options: SmppClientOptions = {}): Promise<SmppClient> {
    const { ca, localAddress } = options
    const address = { host: '127.0.0.1', port, ...(localAddress === undefined ? {} : { localAddress }) }
    const socket = ca === undefined ? connect({ ...address, noDelay: true }) : connectTls({ ...address, ca })
    await once(socket, ca === undefined ? 'connect' : 'secureConnect')
    return new SmppClient(socket, options)
  }

  /** Resolves with the response. */
  request<K extends PduKind>(kind: K, body: NoInfer<EncodableBody<K>>): Promise<Pdu> {
    const sequence = ++this.#sequence
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(new Error('the connection was closed'))
      this.#waiting.set(sequence, { resolve, reject })
      this.send(kind, 0, sequence, body)
    })
  }

  send<K extends PduKind>(kind: K, status: number, sequence: number, body: NoInfer<EncodableBody<K>>): void {
    const octets = Buffer.alloc(8_192)
    this.socket.write(octets.subarray(0, encodePdu(octets, 0, kind, status, sequence, body)))
  }

  async bind(systemId: string, password: string, kind: BindKind = 'bind_transceiver'): Promise<number> {
    const response = await this.request(kind, {
      systemId,
      password,
      systemType: '',
      interfaceVersion: 0x34,
      addrTon: 0,
      addrNpi: 0,
      addressRange: '',
    })
    return response.commandStatus
  }

  async submit(changes: Partial<EncodableBody<'submit_sm'>> = {}): Promise<{ status: number; id: string }> {
    const response = await this.request('submit_sm', submitBody(changes))
    return {
      status: response.commandStatus,
      id: response.kind === 'submit_sm_resp' ? response.messageId : '',
    }
  }

  #handle(pdu: Pdu): void {
    const waiting = this.#waiting.get(pdu.sequence)
    if ((isResponse(pdu) || pdu.kind === 'generic_nack') && waiting !== undefined) {
      this.#waiting.delete(pdu.sequence)
      return waiting.resolve(pdu)
    }
    if (pdu.kind === 'enquire_link') return this.send('enquire_link_resp', 0, pdu.sequence, {})
    if (pdu.kind === 'unbind') return this.send('unbind_resp', 0, pdu.sequence, {})
    if (pdu.kind !== 'deliver_sm') return void this.others.push(pdu)
    this.deliveries.push({ text: Buffer.from(pdu.shortMessage).toString('latin1'), pdu })
    const status = this.answer(pdu)
    if (status !== null && !this.closed) this.send('deliver_sm_resp', status, pdu.sequence, { messageId: '' })
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.socket.destroy()
    await once(this.socket, 'close')
  }
}

export function submitBody(changes: Partial<EncodableBody<'submit_sm'>> = {}): EncodableBody<'submit_sm'> {
  return {
    serviceType: '',
    sourceTon: 0,
    sourceNpi: 0,
    source: '0234567890',
    destinationTon: 1,
    destinationNpi: 1,
    destination: '821012345678',
    esmClass: 0,
    protocolId: 0,
    priorityFlag: 0,
    scheduleDeliveryTime: '',
    validityPeriod: '',
    registeredDelivery: 1,
    replaceIfPresent: 0,
    dataCoding: 0,
    defaultMessageId: 0,
    shortMessage: Buffer.from('hello'),
    ...changes,
  }
}
