/** What the protocols of RCS have in common: the messages, the codes of reports and most expectations. */
import { refused, taken, type Endings, type Shape } from './protocol.ts'

export const delivered = '10000'
export const timeout = '32000'
export const temporary = '32006'
export const phoneOff = '32003'
export const badNumber = '33003'
export const refusedByCarrier = '33006'
export const spam = '33012'
export const wrongSender = '33023'
export const wrongMessagebase = '33121'
export const unsupported = '33101'
export const unknown = '99999'

export const commonEndings: Endings = {
  '0001': taken(delivered),
  '0003': taken(timeout, { silent: true }),
  '0004': taken(delivered),
  '0005': taken(delivered),
  '0006': taken(timeout),
  '0009': taken(delivered, { throttled: 1 }),
  '0010': taken(delivered, { throttled: 5 }),
  '0011': taken(delivered),
  '0012': taken(delivered),
  '0013': refused(unknown, { silent: true }),
  '0015': taken(delivered),
  '0017': taken(delivered),
  '0018': taken(delivered),
  '0053': refused(unknown, { silent: true }),
  '0054': taken(delivered),
  '0055': taken(delivered),
  '0058': taken(delivered),
  '0071': taken(delivered),
  '0072': taken(delivered),
  '0073': taken(delivered),
  '0074': taken(delivered),
  '0075': taken(delivered),
  // A number without a special behaviour.
  '7358': taken(delivered),
}

export const chatbot = { from: '15881588', brandKey: 'BK.e2e' }

export function rcsText(text: string): object {
  return { ...chatbot, formatId: 'SS000000', content: { standalone: { text } } }
}

export function rcsShapes(endings: Endings): Shape[] {
  const shape = { channel: 'rcs', hasTtl: true, endings } as const
  return [
    { ...shape, msgType: 'RS', content: rcsText },
    {
      ...{ ...shape, msgType: 'RM' },
      content: (text, { rcs: media }) => ({
        ...chatbot,
        formatId: 'SMwThT00',
        content: { standalone: { title: '제목', text, media } },
      }),
    },
  ]
}
