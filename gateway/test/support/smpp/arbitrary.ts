/** Arbitrary PDUs of every kind, generated from the tables of the codec. */
import fc from 'fast-check'
import type { EncodableBody } from '../../../src/carriers/smpp/codec.ts'
import type { Field } from '../../../src/carriers/smpp/fields.ts'
import { layouts } from '../../../src/carriers/smpp/fields.ts'
import type { PduKind } from '../../../src/carriers/smpp/pdu.ts'
import type { Tlv } from '../../../src/carriers/smpp/tlv.ts'
import { pduOctets } from './peer.ts'

export interface ArbitraryPdu<K extends PduKind> {
  readonly commandStatus: number
  readonly sequence: number
  readonly body: EncodableBody<K>
}

const u32 = fc.integer({ min: 0, max: 0xffffffff })
const octet = fc.integer({ min: 0, max: 255 })

const octets = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((value) => Buffer.from(value))

const values: Readonly<Record<Field['kind'], (max: number) => fc.Arbitrary<unknown>>> = {
  u8: () => octet,
  cstring: (max) =>
    fc
      .array(fc.integer({ min: 1, max: 255 }), { maxLength: max - 1 })
      .map((codes) => String.fromCharCode(...codes)),
  octets,
}

const tlvs: fc.Arbitrary<Tlv[]> = fc.array(
  fc.record({ tag: fc.integer({ min: 0, max: 0xffff }), value: octets(300) }, { noNullPrototype: true }),
  { maxLength: 5 },
)

export function arbitraryPdu<K extends PduKind>(kind: K): fc.Arbitrary<ArbitraryPdu<K>> {
  const fields = layouts[kind].fields as readonly Field[]
  const body = Object.fromEntries(fields.map((field) => [field.name, values[field.kind](field.max)]))
  return fc.record({
    commandStatus: u32,
    sequence: u32,
    body: fc.record({ ...body, tlvs }, { noNullPrototype: true }) as unknown as fc.Arbitrary<
      EncodableBody<K>
    >,
  })
}

/** Any PDU of any kind, as octets. */
export const arbitraryOctets: fc.Arbitrary<Buffer> = fc
  .constantFrom(...(Object.keys(layouts) as PduKind[]))
  .chain((kind) =>
    arbitraryPdu(kind).map(({ commandStatus, sequence, body }) =>
      pduOctets(kind, commandStatus, sequence, body),
    ),
  )
