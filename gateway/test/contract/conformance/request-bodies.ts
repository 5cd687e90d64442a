/** Valid request bodies. Tests change single fields. */
import { from, nextRecipient, nextForeignRecipient } from './api-assertions.ts'

export const sms = (change: object = {}): object => ({ from, to: nextRecipient(), text: 'hello', ...change })

export const international = (change: object = {}): object => ({
  from,
  to: nextForeignRecipient(),
  text: 'hello',
  ...change,
})

export const alimtalk = (change: object = {}): object => ({
  senderKey: 'a'.repeat(40),
  msgType: 'AT',
  to: nextRecipient(),
  templateCode: 'welcome',
  text: 'hello',
  ...change,
})

export const friendtalk = (change: object = {}): object => ({
  senderKey: 'a'.repeat(40),
  msgType: 'FT',
  to: nextRecipient(),
  text: 'hello',
  ...change,
})

/** Basic brand message with a registered template. */
export const brandmessage = (change: object = {}): object => ({
  senderKey: 'a'.repeat(40),
  msgType: 'FT',
  to: nextRecipient(),
  sendType: 'basic',
  targeting: 'M',
  templateCode: 'welcome',
  ...change,
})

/** RCS message without `to` and `fallback`, as in a flow. */
export const rcsEntry = (change: object = {}): object => ({
  from,
  formatId: 'SL000000',
  brandKey: 'BR.key',
  content: { standalone: { title: 'hello', text: 'world' } },
  ...change,
})

export const rcs = (change: object = {}): object => ({ ...rcsEntry(), to: nextRecipient(), ...change })

export const card = (formatId: string, standalone: object): object =>
  rcs({ formatId, content: { standalone } })

export const carousel = (formatId: string, cards: readonly object[]): object =>
  rcs({ formatId, content: { carousel: cards } })

export const omni = (change: object = {}): object => ({
  messageFlow: [{ sms: { from, text: 'hello' } }],
  destinations: [{ to: nextRecipient() }],
  ...change,
})

/** Valid bodies of the sends in the contract, by the last path segment of their endpoint. */
export const sends: Readonly<Record<string, () => object>> = {
  alimtalk,
  friendtalk,
  international,
  rcs,
  omni,
}

export const urlButton = (name = 'open'): object => ({ type: 'URL', name, url: 'https://example.com' })
