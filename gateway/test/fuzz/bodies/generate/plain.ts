/** Generates valid text messages: SMS, LMS, international SMS, and the fallback of other sends. */
import fc from 'fast-check'
import { abroad, cut, fields, octets, originCID, recipient, ref, sender, ttl, words } from './values.ts'

const smsContent = { from: sender, text: octets(90), originCID }
const mmsContent = {
  from: sender,
  text: octets(2_000),
  title: octets(40),
  fileKey: fc.constant([]),
  originCID,
}

export const sms = fields({ ...smsContent, to: recipient, ref }, ['from', 'text', 'to'])
export const mms = fields({ ...mmsContent, to: recipient, ref }, ['from', 'text', 'to'])
export const smsEntry = fields({ ...smsContent, ttl }, ['from', 'text'])
export const mmsEntry = fields({ ...mmsContent, ttl }, ['from', 'text'])

const abroadText = fc.oneof(
  words(335),
  fc.integer({ min: 1, max: 765 }).map((units) => cut('abc XYZ é@_', units)),
  // A character of two septets or units at a seam makes a part one short.
  fc.nat(600).map((units) => `${cut('ab', units)}€${cut('cd', 152)}`),
)

const anySender = fc.oneof(sender, fc.constantFrom('+12025550123', 'Bank 24'))

export const international = fields({ from: anySender, to: abroad, text: abroadText, ref }, [
  'from',
  'to',
  'text',
])

export const kakaoFallback = fc.oneof(
  fields({ type: fc.constant('SMS'), from: sender, text: octets(90), originCID }, ['type', 'from', 'text']),
  fields({ type: fc.constant('MMS'), ...mmsContent }, ['type', 'from', 'text']),
)

/** With or without its own sender; an SMS may be as long as an MMS. */
export const rcsFallback = fields({ ...mmsContent, type: fc.constantFrom('SMS', 'MMS') }, ['type', 'text'])
