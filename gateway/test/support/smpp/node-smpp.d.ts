/** Types for the parts of the untyped package `smpp` (node-smpp) that the tests use. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server as NetServer, Socket } from 'node:net'

  export interface NodePdu {
    readonly command: string
    readonly command_status: number
    readonly sequence_number: number
    readonly message_id?: string
    readonly destination_addr: string
    readonly dest_addr_ton: number
    readonly dest_addr_npi: number
    readonly source_addr: string
    readonly source_addr_ton: number
    readonly source_addr_npi: number
    readonly esm_class: number
    readonly registered_delivery: number
    readonly data_coding: number
    readonly validity_period: unknown
    readonly interface_version: number
    readonly short_message: { readonly message: string | Buffer; readonly udh?: readonly Buffer[] }
    response(fields?: object): NodePdu
  }

  export interface NodeSession extends EventEmitter {
    readonly socket: Socket
    send(pdu: NodePdu): boolean
    deliver_sm(fields: object, onResponse: (pdu: NodePdu) => void): boolean
    enquire_link(onResponse: (pdu: NodePdu) => void): boolean
    enquire_link(fields: object, onResponse: (pdu: NodePdu) => void): boolean
    bind_transceiver(fields: object, onResponse: (pdu: NodePdu) => void): boolean
    submit_sm(fields: object, onResponse: (pdu: NodePdu) => void): boolean
    unbind(fields: object, onResponse: (pdu: NodePdu) => void): boolean
    close(): void
    on(event: 'pdu', listener: (pdu: NodePdu) => void): this
    on(event: 'close' | 'error', listener: () => void): this
  }

  export class PDU {
    constructor(command: string, fields?: object)
    toBuffer(): Buffer
  }
  export const encodings: { readonly ASCII: { decode(octets: Buffer): string; encode(text: string): Buffer } }
  export function connect(options: { readonly url: string }): NodeSession
  export function createServer(onSession: (session: NodeSession) => void): NetServer
}
