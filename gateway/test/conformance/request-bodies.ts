/** Bodies that are right in every field; a test changes the field it is about. */
import { from, recipient, abroad } from './api-assertions.ts'

export const sms = (change: object = {}): object => ({ from, to: recipient(), text: 'hello', ...change })

export const international = (change: object = {}): object => ({
  from,
  to: abroad(),
  text: 'hello',
  ...change,
})

export const alimtalk = (change: object = {}): object => ({
  senderKey: 'a'.repeat(40),
  msgType: 'AT',
  to: recipient(),
  templateCode: 'welcome',
  text: 'hello',
  ...change,
})

export const friendtalk = (change: object = {}): object => ({
  senderKey: 'a'.repeat(40),
  msgType: 'FT',
  to: recipient(),
  text: 'hello',
  ...change,
})

/** Of the basic form: a registered template, and who is meant. */
export const brandmessage = (change: object = {}): object => ({
  senderKey: 'a'.repeat(40),
  msgType: 'FT',
  to: recipient(),
  sendType: 'basic',
  targeting: 'M',
  templateCode: 'welcome',
  ...change,
})

/** Without `to` and `fallback`, it is an entry of a flow. */
export const rcsEntry = (change: object = {}): object => ({
  from,
  formatId: 'SL000000',
  brandKey: 'BR.key',
  content: { standalone: { title: 'hello', text: 'world' } },
  ...change,
})

export const rcs = (change: object = {}): object => ({ ...rcsEntry(), to: recipient(), ...change })

/** An RCS message of one card. */
export const card = (formatId: string, standalone: object): object =>
  rcs({ formatId, content: { standalone } })

export const carousel = (formatId: string, cards: readonly object[]): object =>
  rcs({ formatId, content: { carousel: cards } })

export const omni = (change: object = {}): object => ({
  messageFlow: [{ sms: { from, text: 'hello' } }],
  destinations: [{ to: recipient() }],
  ...change,
})

/** Every send by the last word of its path, with a body that is right. */
export const sends: Readonly<Record<string, () => object>> = {
  alimtalk,
  friendtalk,
  international,
  rcs,
  omni,
}

export const urlButton = (name = 'open'): object => ({ type: 'URL', name, url: 'https://example.com' })
