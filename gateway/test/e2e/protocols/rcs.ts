/** Messages, report codes and expectations shared by the RCS protocols. */
import { expectRejected, expectAccepted, type ProtocolExpectations, type MessageShape } from './protocol.ts'

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

export const commonEndings: ProtocolExpectations = {
  '0001': expectAccepted(delivered),
  '0003': expectAccepted(timeout, { silent: true }),
  '0004': expectAccepted(delivered),
  '0005': expectAccepted(delivered),
  '0006': expectAccepted(timeout),
  '0009': expectAccepted(delivered, { throttled: 1 }),
  '0010': expectAccepted(delivered, { throttled: 5 }),
  '0011': expectAccepted(delivered),
  '0012': expectAccepted(delivered),
  '0013': expectRejected(unknown, { silent: true }),
  '0015': expectAccepted(delivered),
  '0017': expectAccepted(delivered),
  '0018': expectAccepted(delivered),
  '0053': expectRejected(unknown, { silent: true }),
  '0054': expectAccepted(delivered),
  '0055': expectAccepted(delivered),
  '0058': expectAccepted(delivered),
  '0071': expectAccepted(delivered),
  '0072': expectAccepted(delivered),
  '0073': expectAccepted(delivered),
  '0074': expectAccepted(delivered),
  '0075': expectAccepted(delivered),
  // Number without special behaviour.
  '7358': expectAccepted(delivered),
}

export const chatbot = { from: '15881588', brandKey: 'BK.e2e' }

export function rcsText(text: string): object {
  return { ...chatbot, formatId: 'SS000000', content: { standalone: { text } } }
}

export function rcsShapes(endings: ProtocolExpectations): MessageShape[] {
  const shape = { channel: 'rcs', hasTtl: true, endings } as const
  return [
    { ...shape, msgType: 'RS', content: rcsText },
    {
      ...shape,
      msgType: 'RM',
      content: (text, { rcs: media }) => ({
        ...chatbot,
        formatId: 'SMwThT00',
        content: { standalone: { title: '제목', text, media } },
      }),
    },
  ]
}
