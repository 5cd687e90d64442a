/**
 * Optional parameters (TLVs). A PDU keeps all of them raw and in order; this table has the few that the gateway reads.
 * Reading never throws: a value of the wrong size counts as absent, because the text of a receipt can replace it.
 */
export interface Tlv {
  readonly tag: number
  readonly value: Uint8Array
}

export interface NetworkError {
  /** Network type; 3 is GSM. */
  readonly network: number
  readonly code: number
}

/** Shared by all PDUs without optional parameters, which are the majority. */
export const noTlvs: readonly Tlv[] = Object.freeze([])

const readers = {
  u8: (value: Uint8Array): number | undefined => (value.length === 1 ? value[0] : undefined),
  u16: (value: Uint8Array): number | undefined =>
    value.length === 2 ? (value[0]! << 8) | value[1]! : undefined,
  text: (value: Uint8Array): string | undefined => {
    const octets = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const end = octets.indexOf(0)
    // A C-octet string must end in NUL, but some carriers omit it.
    const text = octets.toString('latin1', 0, end < 0 ? octets.length : end).trim()
    return text === '' ? undefined : text
  },
  networkError: (value: Uint8Array): NetworkError | undefined =>
    value.length === 3 ? { network: value[0]!, code: (value[1]! << 8) | value[2]! } : undefined,
  octets: (value: Uint8Array): Uint8Array | undefined => value,
} as const

export const tlvs = {
  additionalStatusText: { tag: 0x001d, kind: 'text' },
  receiptedMessageId: { tag: 0x001e, kind: 'text' },
  userMessageReference: { tag: 0x0204, kind: 'u16' },
  sarReference: { tag: 0x020c, kind: 'u16' },
  sarTotal: { tag: 0x020e, kind: 'u8' },
  sarPart: { tag: 0x020f, kind: 'u8' },
  interfaceVersion: { tag: 0x0210, kind: 'u8' },
  networkErrorCode: { tag: 0x0423, kind: 'networkError' },
  messagePayload: { tag: 0x0424, kind: 'octets' },
  messageState: { tag: 0x0427, kind: 'u8' },
  congestionState: { tag: 0x0428, kind: 'u8' },
} as const satisfies Record<string, { tag: number; kind: keyof typeof readers }>

type Name = keyof typeof tlvs
type Read<N extends Name> = ReturnType<(typeof readers)[(typeof tlvs)[N]['kind']]>

export function readTlv<N extends Name>(list: readonly Tlv[], name: N): Read<N> | undefined {
  const { tag, kind } = tlvs[name]
  const found = list.find((tlv) => tlv.tag === tag)
  return found === undefined ? undefined : (readers[kind](found.value) as Read<N>)
}
