/**
 * PDU types: a union discriminated by `kind`, with fields derived from the tables in fields.ts. An unknown command is also a
 * PDU (`unknown`), because the response is a generic_nack and the session continues.
 */
import type { Field, layouts } from './fields.ts'
import type { Tlv } from './tlv.ts'

export const headerBytes = 16
/** Set in the command id of every response. */
export const responseBit = 0x80000000
export const lastSequence = 0x7fffffff

type Layouts = typeof layouts

export type PduKind = keyof Layouts

interface ValueOf {
  u8: number
  cstring: string
  octets: Uint8Array
}

/** The mandatory fields of one command. */
export type BodyOf<K extends PduKind> = Body<Layouts[K]['fields'][number]>

type Body<F extends Field> = { readonly [P in F as P['name']]: ValueOf[P['kind']] }

interface Header {
  readonly commandStatus: number
  readonly sequence: number
  /** Optional parameters in wire order; unknown tags are kept as received. */
  readonly tlvs: readonly Tlv[]
}

export type PduOf<K extends PduKind> = { readonly kind: K } & Header & BodyOf<K>

export interface UnknownPdu extends Header {
  readonly kind: 'unknown'
  readonly commandId: number
  readonly body: Uint8Array
}

export type Pdu = { [K in PduKind]: PduOf<K> }[PduKind] | UnknownPdu

export type BindKind = 'bind_receiver' | 'bind_transmitter' | 'bind_transceiver'

/** Returns false for a generic_nack, which the sessions handle separately. */
export function isResponse(pdu: Pdu): boolean {
  return pdu.kind === 'unknown' ? pdu.commandId >= responseBit : pdu.kind.endsWith('_resp')
}

/**
 * Thrown for octets that are not a valid PDU, and for a PDU that cannot be encoded. `commandStatus` is the status for the
 * generic_nack.
 */
export class PduError extends Error {
  override readonly name = 'PduError'
  readonly commandStatus: number
  /** 0 if the header could not be read, as the specification requires. */
  readonly sequence: number

  constructor(message: string, commandStatus: number, sequence = 0) {
    super(message)
    this.commandStatus = commandStatus
    this.sequence = sequence
  }
}
