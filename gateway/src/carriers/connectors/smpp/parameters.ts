/**
 * Optional parameters (TLVs) that a route adds to every submission: constants, or values by the sender and by the registered
 * template of the text. Values are encoded once, when the connector is created.
 */
import type { SmppOptions } from './options.ts'
import { templateMatcher } from './template-text.ts'
import type { Tlv } from '../../smpp/tlv.ts'

type Option = SmppOptions['parameters'][number]

/** Returns null if a required parameter has no value. */
export type ParameterWriter = (sender: string, text: () => string) => readonly Tlv[] | null

/** Throws an error that names the parameter if its value cannot be encoded. */
export function parameterWriter(parameters: readonly Option[]): ParameterWriter {
  const writers = parameters.map((option, index) => {
    const encode = (value: string): Tlv => ({
      tag: option.tag,
      value: encodeValue(value, option.type, `smpp options: parameters/${index}`),
    })
    const standard = option.value === undefined ? undefined : encode(option.value)
    const bySender = new Map(
      Object.entries(option.bySender).map(([sender, value]) => [sender, encode(value)]),
    )
    const byText = option.byText.map(({ text, value }) => ({
      matches: templateMatcher(text),
      tlv: encode(value),
    }))
    return {
      required: option.required,
      toTlv: (sender: string, text: () => string): Tlv | undefined =>
        (byText.length === 0 ? undefined : byText.find(({ matches }) => matches(text()))?.tlv) ??
        bySender.get(sender) ??
        standard,
    }
  })
  return (sender, text) => {
    const tlvs: Tlv[] = []
    for (const { toTlv, required } of writers) {
      const tlv = toTlv(sender, text)
      if (tlv !== undefined) tlvs.push(tlv)
      else if (required) return null
    }
    return tlvs
  }
}

const sizes = { u8: 1, u16: 2, u32: 4 } as const

function encodeValue(value: string, type: Option['type'], path: string): Buffer {
  switch (type) {
    case 'text':
      return Buffer.from(value, 'latin1')
    case 'c-string':
      return Buffer.from(`${value}\0`, 'latin1')
    case 'hex':
      if (!/^(?:[0-9A-Fa-f]{2})*$/.test(value)) throw new Error(`${path} must be pairs of hexadecimal digits`)
      return Buffer.from(value, 'hex')
    default: {
      const bytes = sizes[type]
      const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN
      if (!(number < 256 ** bytes)) throw new Error(`${path} must be an integer of ${bytes * 8} bits`)
      const octets = Buffer.alloc(bytes)
      octets.writeUIntBE(number, 0, bytes)
      return octets
    }
  }
}
