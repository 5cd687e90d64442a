/**
 * A PDU as the rest of the connector sees it: a union told apart by `kind`, its fields derived from the
 * tables in fields.ts. A command we do not know is a PDU too (`unknown`), because the answer to it is a
 * generic_nack and not a broken session.
 */
import type { Field, layouts } from './fields.ts'
import type { Tlv } from './tlv.ts'

export const headerBytes = 16
/** Set in the command id of every response. */
export const responseBit = 0x80000000
export const lastSequence = 0x7fffffff

type Layouts = typeof layouts

export type Kind = keyof Layouts

interface ValueOf {
  u8: number
  cstring: string
  octets: Uint8Array
}

/** The mandatory fields of one command. */
export type BodyOf<K extends Kind> = Body<Layouts[K]['fields'][number]>

type Body<F extends Field> = { readonly [P in F as P['name']]: ValueOf[P['kind']] }

interface Header {
  readonly commandStatus: number
  readonly sequence: number
  /** In wire order; a tag that nobody here knows is kept as it came. */
  readonly tlvs: readonly Tlv[]
}

export type PduOf<K extends Kind> = { readonly kind: K } & Header & BodyOf<K>

export interface UnknownPdu extends Header {
  readonly kind: 'unknown'
  readonly commandId: number
  readonly body: Uint8Array
}

export type Pdu = { [K in Kind]: PduOf<K> }[Kind] | UnknownPdu

export type BindKind = 'bind_receiver' | 'bind_transmitter' | 'bind_transceiver'

export function isResponse(pdu: Pdu): boolean {
  return pdu.kind === 'unknown' ? pdu.commandId >= responseBit : pdu.kind.endsWith('_resp')
}

/** Octets that are no PDU. `commandStatus` is what a generic_nack about them should say. */
export class PduError extends Error {
  override readonly name = 'PduError'
  readonly commandStatus: number
  /** 0 when not even the header could be read, as the specification asks. */
  readonly sequence: number

  constructor(message: string, commandStatus: number, sequence = 0) {
    super(message)
    this.commandStatus = commandStatus
    this.sequence = sequence
  }
}
