/** Requests for the MaaP server: messages of every format for carriers and relay, and file forms. */
import { formats } from '../maap/formats.ts'

export type MaapRequest = Record<string, unknown>

export const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
export const fileId = 'BR.abcd.20261115'
const media = `maapfile://${fileId}`

let ids = 0
export const newId = (): string => `msg-${++ids}`

export const button = {
  action: {
    urlAction: { openUrl: { url: 'https://example.com' } },
    displayText: '열기',
    postback: { data: 'set_by_chatbot_open_url' },
  },
}

/** Returns a complete body of a format with all its cards. */
export function buildBody(messagebaseId: string): MaapRequest {
  const { cards, needs, maxTitle } = formats.get(messagebaseId) ?? { cards: 1, needs: 'none', maxTitle: 0 }
  if (needs === 'none') return { name: '홍길동' }
  const card = (number: string): MaapRequest => ({
    ...(maxTitle > 0 ? { [`title${number}`]: '제목' } : {}),
    [`description${number}`]: '안녕하세요',
    ...(needs === 'media' ? { [`media${number}`]: media } : {}),
  })
  if (cards === 1) return card('')
  return Object.assign(
    {},
    ...Array.from({ length: cards }, (_, index) => card(String(index + 1))),
  ) as MaapRequest
}

/** Returns one button on the first card; undefined for a brand template. */
export function buildButtons(messagebaseId: string): MaapRequest[] | undefined {
  const cards = formats.get(messagebaseId)?.cards
  if (cards === undefined) return undefined
  return [{ suggestions: [button] }, ...Array.from({ length: cards - 1 }, () => ({}))]
}

export function carrierMessage(change: MaapRequest = {}, messagebaseId = 'SS000000'): MaapRequest {
  const buttons = buildButtons(messagebaseId)
  return {
    clientMsgId: newId(),
    chatbotId: '15881588',
    messagebaseId,
    userContact: '01012345678',
    agencyId: 'agency',
    agencyKey: 'AK.key',
    brandKey: 'BK.key',
    header: '0',
    body: buildBody(messagebaseId),
    ...(buttons === undefined ? {} : { buttons }),
    ...change,
  }
}

const services = {
  sms: 'RCSSMS',
  lms: 'RCSLMS',
  mms: 'RCSMMS',
  tmplt: 'RCSTMPL',
  itmpl: 'RCSITMPL',
  chat: 'RCSCHAT',
}

export function relayMessage(
  common: MaapRequest = {},
  rcs: MaapRequest = {},
  messagebaseId = 'SS000000',
  legacy?: MaapRequest,
): MaapRequest {
  const buttons = buildButtons(messagebaseId)
  return {
    common: {
      msgId: newId(),
      userContact: '01012345678',
      scheduleType: 0,
      msgServiceType: legacy === undefined ? 'rcs' : 'rcs, legacy',
      ...common,
    },
    rcs: {
      chatbotId: '15881588',
      agencyId: 'ktbizrcs',
      agencyKey: 'AK.key',
      brandKey: 'BK.key',
      messagebaseId,
      serviceType: services[formats.get(messagebaseId)?.products[0] ?? 'tmplt'],
      expiryOption: 2,
      header: '0',
      body: buildBody(messagebaseId),
      ...(buttons === undefined ? {} : { buttons }),
      ...rcs,
    },
    ...(legacy === undefined ? {} : { legacy }),
  }
}

export const legacySms = { serviceType: 'SMS', callback: '15881588', msg: '안녕하세요', contentCount: 0 }

export function fileForm(fields: Record<string, string>, file: Buffer = png): Buffer {
  const field = ([name, value]: [string, string]): string =>
    `--form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = '--form\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  return Buffer.concat([
    Buffer.from(Object.entries(fields).map(field).join('')),
    Buffer.from(head),
    file,
    Buffer.from('\r\n'),
    Buffer.from('--form--\r\n'),
  ])
}

export const fileFields = { fileId, usageType: 'send', usageService: 'RCS', mimeType: 'image/png' }
