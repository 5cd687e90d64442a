import type { ChannelName } from '../../../../channels/channel.ts'
import type { Example } from '../operation.ts'
import { dryRunResponse } from './dry-run.ts'
import { sampleValues, success } from './sample-values.ts'

const from = '0212345678'
const to = '01000000001'
const senderKey = '0123456789abcdef0123456789abcdef01234567'
const accepted = (ref: string) => ({ ...success, msgKey: sampleValues.msgKey, ref })

export const sendExamples: Readonly<Record<ChannelName, readonly Example[]>> = {
  sms: [
    {
      name: 'sms',
      summary: 'A text of at most 90 bytes',
      body: { from, to, text: 'Your parcel arrives today between 2 and 4 pm.', ref: 'parcel-1' },
      status: 200,
      response: { ...success, msgKey: sampleValues.smsKey, ref: 'parcel-1' },
    },
    {
      name: 'smsDryRun',
      summary: 'Validation without sending',
      query: { dryRun: 'true' },
      body: { from, to, text: 'Your parcel arrives today.' },
      status: 200,
      response: dryRunResponse,
    },
    {
      name: 'smsScheduled',
      summary: 'Sent at a later time',
      query: { sendAt: sampleValues.sendAt },
      body: { from, to, text: 'Merry Christmas!' },
      status: 200,
      response: { ...success, msgKey: sampleValues.scheduledKey },
    },
    {
      name: 'smsWithoutRecipient',
      summary: 'A field is missing',
      body: { from, text: 'Your parcel arrives today between 2 and 4 pm.' },
      status: 400,
      response: { code: 'A306', result: "Invalid or empty 'to': is required", field: 'to' },
    },
    {
      name: 'smsTooLong',
      summary: 'More than 90 bytes',
      body: { from, to, text: 'Your parcel arrives today between 2 and 4 pm. '.repeat(3).trim() },
      status: 400,
      response: {
        code: 'A328',
        result: "Invalid or empty 'text': must be at most 90 bytes, found 137 (send it as mms)",
        field: 'text',
      },
    },
  ],
  mms: [
    {
      name: 'mms',
      summary: 'A text with an uploaded image',
      body: {
        from,
        to,
        title: 'Autumn sale',
        text: 'Everything at half price until Sunday. Show this picture at the counter.',
        fileKey: [sampleValues.mmsKey],
        ref: 'sale-1',
      },
      status: 200,
      response: accepted('sale-1'),
    },
    {
      name: 'lms',
      summary: 'A long text without an image',
      body: { from, to, title: 'Opening hours', text: 'From Monday on we open at nine. '.repeat(8).trim() },
      status: 200,
      response: { ...success, msgKey: sampleValues.msgKey },
    },
    {
      name: 'mmsUnknownFile',
      summary: 'Unknown file',
      body: { from, to, text: 'See the picture.', fileKey: ['no-such-file'] },
      status: 400,
      response: {
        code: 'A217',
        result: "Invalid or empty 'fileKey[0]': file not found",
        field: 'fileKey[0]',
      },
    },
  ],
  international: [
    {
      name: 'international',
      summary: 'To another country',
      body: { from, to: '+14155550001', text: 'Your code is 482913.', ref: 'code-1' },
      status: 200,
      response: accepted('code-1'),
    },
    {
      name: 'internationalSenderId',
      summary: 'From an alphanumeric sender ID',
      body: { from: 'Bank 24', to: '+4915112345678', text: 'Your code is 482913.', ref: 'code-2' },
      status: 200,
      response: accepted('code-2'),
    },
  ],
  rcs: [
    {
      name: 'rcsText',
      summary: 'A text with a button, and an SMS if it fails',
      body: {
        from,
        to,
        formatId: 'SL000000',
        brandKey: 'BR.4tKq9sXz2m',
        content: {
          standalone: {
            title: 'Your appointment',
            text: 'We are looking forward to seeing you tomorrow at 10:00.',
            button: [{ type: 'URL', name: 'Change it', url: 'https://example.com/appointments/17' }],
          },
        },
        fallback: { type: 'SMS', text: 'Your appointment is tomorrow at 10:00.' },
        ref: 'appointment-17',
      },
      status: 200,
      response: accepted('appointment-17'),
    },
    {
      name: 'rcsImage',
      summary: 'An uploaded image with the size of the format',
      body: {
        from,
        to,
        formatId: 'SMwThM00',
        brandKey: 'BR.4tKq9sXz2m',
        content: {
          standalone: {
            title: 'Autumn sale',
            text: 'Until Sunday.',
            media: `maapfile://${sampleValues.rcsKey}`,
          },
        },
      },
      status: 200,
      response: { ...success, msgKey: sampleValues.msgKey },
    },
  ],
  alimtalk: [
    {
      name: 'alimtalk',
      summary: 'The text of an approved template, and an SMS if it fails',
      body: {
        senderKey,
        msgType: 'AT',
        to,
        templateCode: 'order_shipped_1',
        text: 'Your order 20261115-1 has been shipped.',
        button: [{ type: 'WL', name: 'Track it', urlMobile: 'https://example.com/t/20261115-1' }],
        fallback: { type: 'SMS', from, text: 'Your order 20261115-1 has been shipped.' },
        ref: 'order-1',
      },
      status: 200,
      response: accepted('order-1'),
    },
    {
      name: 'alimtalkWithoutTemplate',
      summary: 'The template is missing',
      body: { senderKey, msgType: 'AT', to, text: 'Your order has been shipped.' },
      status: 400,
      response: {
        code: 'A505',
        result: "Invalid or empty 'templateCode': is required",
        field: 'templateCode',
      },
    },
  ],
  friendtalk: [
    {
      name: 'friendtalkText',
      summary: 'A free text',
      body: { senderKey, msgType: 'FT', to, text: 'The autumn collection is here.', ref: 'autumn-1' },
      status: 200,
      response: accepted('autumn-1'),
    },
    {
      name: 'friendtalkImage',
      summary: 'With an uploaded image',
      body: {
        senderKey,
        msgType: 'FI',
        to,
        text: 'The autumn collection is here.',
        imgUrl: `${sampleValues.fileBase}${sampleValues.bubbleKey}`,
        button: [{ type: 'WL', name: 'Look', urlMobile: 'https://example.com/autumn' }],
      },
      status: 200,
      response: { ...success, msgKey: sampleValues.msgKey },
    },
  ],
  brandmessage: [
    {
      name: 'brandmessageFree',
      summary: 'Free-form',
      body: {
        senderKey,
        sendType: 'free',
        msgType: 'FT',
        to,
        text: 'The autumn collection is here.',
        unsubscribePhoneNumber: '080-1234-5678',
        ref: 'brand-1',
      },
      status: 200,
      response: accepted('brand-1'),
    },
    {
      name: 'brandmessageBasic',
      summary: 'A registered template and its variables',
      body: {
        senderKey,
        sendType: 'basic',
        msgType: 'FT',
        targeting: 'M',
        templateCode: 'autumn_sale_1',
        to,
        messageVariable: { shop: 'Mapo' },
      },
      status: 200,
      response: { ...success, msgKey: sampleValues.msgKey },
    },
  ],
}
