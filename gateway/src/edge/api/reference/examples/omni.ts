import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

const senderKey = '0123456789abcdef0123456789abcdef01234567'
const accepted = (to: string, msgKey: string) => ({ to, msgKey, ...success })

export const omniExamples: readonly Example[] = [
  {
    name: 'omniFlow',
    summary: 'Alimtalk first, SMS if it fails, to two people by name',
    body: {
      messageFlow: [
        {
          alimtalk: {
            senderKey,
            msgType: 'AT',
            templateCode: 'order_shipped_2',
            text: 'Dear #{name}, your order #{order} has been shipped.',
          },
        },
        { sms: { from: '0212345678', text: 'Order #{order} has been shipped.', ttl: '3600' } },
      ],
      destinations: [
        { to: '01000000001', replaceWords: { name: 'Minji', order: '4711' } },
        { to: '01000010001', replaceWords: { name: 'Junho', order: '4712' } },
      ],
      ref: 'orders-1',
    },
    status: 200,
    response: {
      ...success,
      data: {
        destinations: [
          accepted('01000000001', sampleValues.msgKey),
          accepted('01000010001', sampleValues.otherMsgKey),
        ],
      },
      ref: 'orders-1',
    },
  },
  {
    name: 'omniPartlyRefused',
    summary: 'One destination is refused; the other is accepted',
    body: {
      messageFlow: [{ sms: { from: '0212345678', text: 'Dear #{name}, we are open again.' } }],
      destinations: [{ to: '01000000001', replaceWords: { name: 'Minji' } }, { to: '01000010001' }],
    },
    status: 200,
    response: {
      ...success,
      data: {
        destinations: [
          accepted('01000000001', sampleValues.msgKey),
          {
            to: '01000010001',
            msgKey: '',
            code: 'A303',
            result: "Invalid or empty 'messageFlow[0].sms.text': replaceWords has no value for #{name}",
            acceptance: 'no',
          },
        ],
      },
    },
  },
  {
    name: 'omniForm',
    summary: 'A registered form instead of a flow',
    body: {
      messageForm: sampleValues.formId,
      destinations: [{ to: '01000000001', replaceWords: { name: 'Minji' } }],
      ref: 'greeting-1',
    },
    status: 200,
    response: {
      ...success,
      data: { destinations: [accepted('01000000001', sampleValues.msgKey)] },
      ref: 'greeting-1',
    },
  },
]
