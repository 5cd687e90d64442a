/**
 * Encodes and decodes PDUs by the tables in fields.ts. Encoding is one pass into a buffer of the caller, so that many PDUs
 * share one allocation and one write. Decoding is strict for requests and lenient for responses: a response decides the
 * outcome of a submission, and its header and first field are enough for that. Truncated optional parameters are an error
 * only in a submit_sm, where they determine what is sent; elsewhere they are ignored.
 *
 * Decoded octets are views of the frame and must not be kept after the PDU was handled.
 */
import type { Field } from './fields.ts'
import { layouts } from './fields.ts'
import type { BodyOf, PduKind, Pdu } from './pdu.ts'
import { headerBytes, PduError, responseBit } from './pdu.ts'
import { statuses } from './status.ts'
import type { Tlv } from './tlv.ts'
import { noTlvs } from './tlv.ts'

interface Entry {
  readonly kind: PduKind
  readonly fields: readonly Field[]
  /** An empty PDU with all its properties, to be copied. */
  readonly blank: Readonly<Record<string, unknown>>
}

const noOctets = Buffer.alloc(0)

const entries = new Map<number, Entry>(
  (Object.keys(layouts) as PduKind[]).map((kind) => {
    const { id, fields } = layouts[kind]
    return [id, { kind, fields, blank: createBlank(kind, fields) }]
  }),
)

/**
 * Creates the object by JSON.parse, because V8 turns an object that gets more than a dozen properties one by one into a slow
 * hash table. A parsed object and its copies stay fast.
 */
function createBlank(kind: PduKind, fields: readonly Field[]): Readonly<Record<string, unknown>> {
  const names = ['commandStatus', 'sequence', 'tlvs', ...fields.map(({ name }) => name)]
  const values = names.map((name) => [name, 0] as const)
  return JSON.parse(JSON.stringify({ kind, ...Object.fromEntries(values) })) as Record<string, unknown>
}

export type EncodableBody<K extends PduKind> = BodyOf<K> & { readonly tlvs?: readonly Tlv[] }

/** Writes one PDU at `offset` and returns the offset after it. Throws PduError if it does not fit or cannot be encoded. */
export function encodePdu<K extends PduKind>(
  target: Buffer,
  offset: number,
  kind: K,
  commandStatus: number,
  sequence: number,
  body: NoInfer<EncodableBody<K>>,
): number {
  const layout = layouts[kind]
  const values = body as Readonly<Record<string, unknown>>
  let at = offset + headerBytes
  for (const field of layout.fields as readonly Field[]) {
    const value = values[field.name]
    switch (field.kind) {
      case 'u8':
        target[at] = value as number
        at += 1
        break
      case 'cstring':
        at = writeString(target, at, value as string, field)
        break
      case 'octets':
        at = writeOctets(target, at, value as Uint8Array, field)
        break
    }
  }
  if (body.tlvs !== undefined) for (const tlv of body.tlvs) at = writeTlv(target, at, tlv)
  if (at > target.length) throw new PduError(`${kind} does not fit`, statuses.ESME_RINVCMDLEN, sequence)
  target.writeUInt32BE(at - offset, offset)
  target.writeUInt32BE(layout.id, offset + 4)
  target.writeUInt32BE(commandStatus, offset + 8)
  target.writeUInt32BE(sequence, offset + 12)
  return at
}

// A loop is faster than a native call for strings of 0 to 20 octets.
function writeString(target: Buffer, at: number, value: string, field: Field): number {
  if (value.length >= field.max) throw unencodable(field, 'is too long')
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index)
    if (code === 0 || code > 0xff) throw unencodable(field, 'has a character that cannot be sent')
    target[at + index] = code
  }
  target[at + value.length] = 0
  return at + value.length + 1
}

function writeOctets(target: Buffer, at: number, value: Uint8Array, field: Field): number {
  if (value.length > field.max) throw unencodable(field, 'is too long')
  if (at + 1 + value.length > target.length) throw unencodable(field, 'does not fit')
  target[at] = value.length
  target.set(value, at + 1)
  return at + 1 + value.length
}

function writeTlv(target: Buffer, at: number, tlv: Tlv): number {
  if (at + 4 + tlv.value.length > target.length || tlv.value.length > 0xffff) {
    throw new PduError('optional parameters do not fit', statuses.ESME_RINVPARLEN)
  }
  target.writeUInt16BE(tlv.tag, at)
  target.writeUInt16BE(tlv.value.length, at + 2)
  target.set(tlv.value, at + 4)
  return at + 4 + tlv.value.length
}

function unencodable(field: Field, problem: string): PduError {
  // The message omits the value, which can be a password or a phone number.
  return new PduError(`${field.name} ${problem}`, statuses.ESME_RINVPARLEN)
}

/** Decodes one complete frame. Throws only PduError. */
export function decodePdu(frame: Buffer): Pdu {
  if (frame.length < headerBytes)
    throw new PduError('the PDU is shorter than its header', statuses.ESME_RINVCMDLEN)
  const commandId = frame.readUInt32BE(4)
  const commandStatus = frame.readUInt32BE(8)
  const sequence = frame.readUInt32BE(12)
  const entry = entries.get(commandId)
  if (entry === undefined) {
    const body = frame.subarray(headerBytes)
    return { kind: 'unknown', commandId, commandStatus, sequence, tlvs: noTlvs, body }
  }
  const lenient = commandId >= responseBit
  const pdu: Record<string, unknown> = { ...entry.blank }
  pdu['commandStatus'] = commandStatus
  pdu['sequence'] = sequence
  pdu['tlvs'] = noTlvs
  let at = headerBytes
  for (const field of entry.fields) {
    if (at >= frame.length) {
      if (!lenient) throw new PduError(`${field.name} is missing`, statuses.ESME_RINVCMDLEN, sequence)
      pdu[field.name] = field.kind === 'u8' ? 0 : field.kind === 'cstring' ? '' : noOctets
      continue
    }
    switch (field.kind) {
      case 'u8':
        pdu[field.name] = frame[at]
        at += 1
        break
      case 'cstring': {
        let end = at
        while (end < frame.length && frame[end] !== 0) end += 1
        if (end === frame.length && !lenient) {
          throw new PduError(`${field.name} is not terminated`, statuses.ESME_RINVCMDLEN, sequence)
        }
        pdu[field.name] = end === at ? '' : frame.toString('latin1', at, end)
        at = end + 1
        break
      }
      case 'octets': {
        const end = at + 1 + frame[at]!
        if (end > frame.length && !lenient) {
          throw new PduError(`${field.name} is truncated`, statuses.ESME_RINVMSGLEN, sequence)
        }
        pdu[field.name] = frame.subarray(at + 1, end)
        at = end
        break
      }
    }
  }
  if (at + 4 <= frame.length) pdu['tlvs'] = readTlvs(frame, at, entry.kind !== 'submit_sm', sequence)
  return pdu as unknown as Pdu
}

// Ignores one to three octets of padding, which some carriers leave after the last parameter.
function readTlvs(frame: Buffer, start: number, lenient: boolean, sequence: number): readonly Tlv[] {
  const tlvs: Tlv[] = []
  let at = start
  while (at + 4 <= frame.length) {
    const end = at + 4 + frame.readUInt16BE(at + 2)
    if (end > frame.length) {
      if (lenient) break
      throw new PduError('an optional parameter is truncated', statuses.ESME_RINVOPTPARSTREAM, sequence)
    }
    tlvs.push({ tag: frame.readUInt16BE(at), value: frame.subarray(at + 4, end) })
    at = end
  }
  return tlvs
}
