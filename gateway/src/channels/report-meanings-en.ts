/** Report codes in English: meaning, usual cause and next action, by cause (see report-meaning.ts). */
import { createMeaning, type ReportMeanings } from './report-meaning.ts'

/** Action for every unknown outcome. */
const mayHaveArrived =
  'The recipient may have the message. Send it again only if receiving it twice does no harm.'

export const englishMeanings: ReportMeanings = {
  byCause: {
    delivered: createMeaning(
      'Delivered',
      'The carrier confirmed that the phone has the message.',
      'Nothing.',
    ),
    timeout: createMeaning(
      'No delivery within the time allowed',
      'The phone was off or out of reach, or the carrier sent no receipt in time.',
      mayHaveArrived,
    ),
    'radio-failure': createMeaning(
      'Radio failure',
      'The network could not reach the phone over the air.',
      'Send again after some minutes.',
    ),
    'phone-off': createMeaning(
      'Phone switched off',
      'The phone stayed off until the carrier gave up.',
      'Send again later.',
    ),
    'buffer-full': createMeaning(
      'Message memory of the phone full',
      'The message memory of the phone is full.',
      'Ask the recipient to delete messages; send again later.',
    ),
    'shadow-area': createMeaning(
      'Phone in a shadow area',
      'The phone has no network coverage.',
      'Send again later.',
    ),
    'temporary-failure': createMeaning(
      'Temporary failure at the carrier',
      "The carrier's network was disturbed or overloaded.",
      'Send again later; if many messages fail, contact the operator.',
    ),
    failed: createMeaning(
      'Delivery failed',
      'The carrier gave up without a specific reason.',
      'Check the number; if other messages on the same route fail too, contact the operator.',
    ),
    'no-subscriber': createMeaning(
      'No such subscriber',
      'The number is not in service or has been disconnected.',
      'Remove the number from your list.',
    ),
    'bad-number': createMeaning(
      'Wrong recipient number',
      'The carrier does not accept this number: it is incorrect or of an unsupported kind.',
      'Correct the number before sending again.',
    ),
    refused: createMeaning(
      'Refused by the carrier',
      'The carrier rejected the message, often because of its content or its sender.',
      'Check sender and content; the operator can look up the carrier code.',
    ),
    unsupported: createMeaning(
      'Not supported by the phone',
      'The phone, its software or its subscription cannot show this kind of message.',
      'Send a text message, or add a fallback to the flow.',
    ),
    spam: createMeaning(
      'Blocked as spam',
      'A spam filter of the carrier or of the recipient blocked the message.',
      'Check links and wording, and that advertisement marks are present.',
    ),
    attachment: createMeaning(
      'Attachment not acceptable',
      'The image or file is too large, has an unsupported format or could not be fetched.',
      'Upload a file within the limits and send again.',
    ),
    'unregistered-sender': createMeaning(
      'Sender number not registered',
      'The sender is not registered with the carrier for this account.',
      'Register the sender, then send again.',
    ),
    duplicate: createMeaning(
      'Duplicate message',
      'The carrier received the same message to the same recipient shortly before.',
      'Nothing if it was sent twice; otherwise change the text.',
    ),
    'night-hours': createMeaning(
      'Advertisement in barred hours',
      'Advertisements must not be delivered at this hour.',
      'Send it within the allowed hours.',
    ),
    'origin-code': createMeaning(
      'Wrong originCID',
      'originCID is incorrect or not registered at the carrier.',
      'Correct originCID, or register it.',
    ),
    cancelled: createMeaning(
      'Cancelled before sending',
      'The client cancelled the message, or its batch, before it was sent.',
      'Nothing.',
    ),
    'account-stopped': createMeaning(
      'The account is stopped',
      'The operator stopped the account before the message was sent.',
      'Contact the operator.',
    ),
    suppressed: createMeaning(
      'The recipient has opted out',
      'The recipient opted out of advertisements after the message was accepted.',
      'Do not send advertisements to this recipient.',
    ),
    cap: createMeaning(
      'Cap of the account reached',
      'The account had reached its cap when the message was due.',
      'Send it in the next day or month, or ask the operator for a higher cap.',
    ),
    'advertisement-form': createMeaning(
      'Wrong form of an advertisement',
      'The name or the free number for opting out in the advertisement is no longer registered for the account.',
      'Ask the operator to register it, or send with one that is registered.',
    ),
    'no-route': createMeaning(
      'No route for this message',
      'The operator has no route for this channel, or all are disabled.',
      'Contact the operator.',
    ),
    'outcome-unknown': createMeaning(
      'The carrier never reported an outcome',
      'The response was lost and no receipt arrived.',
      mayHaveArrived,
    ),
  },
  // Codes with a different meaning in their family.
  byCode: {
    '33101': createMeaning(
      'The phone does not support RCS',
      'The phone or its carrier does not support RCS, or RCS is switched off.',
      'Add a text message as fallback to the flow.',
    ),
    '61003': createMeaning(
      'Wrong sender key',
      'The sender key is unknown to the messenger, blocked, or belongs to another account.',
      'Correct the sender key.',
    ),
    '63005': createMeaning(
      'No confirmation from the messenger',
      'The messenger did not confirm the delivery in time.',
      mayHaveArrived,
    ),
    '63019': createMeaning(
      'Not a user of the messenger',
      'The number has no account with the messenger.',
      'Send a text message instead.',
    ),
    '69999': createMeaning(
      'Delivery failed',
      'The messenger gave up for a reason without a report code.',
      'Check the carrier code of the attempt; add a fallback to the flow.',
    ),
  },
  byFault: {
    sender: {
      cause: 'The brand, contract or account is unknown to the carrier or has no right to send.',
      action: 'Check the keys of the message; register what is missing, then send again.',
    },
    channel: {
      cause: 'The messenger has blocked, restricted or closed the channel of the sender.',
      action: 'Check the state of the channel at the messenger.',
    },
    template: {
      cause: 'The message does not agree with an approved template.',
      action: 'Compare the message with its template, then send again.',
    },
    length: {
      cause: 'A field is longer than the carrier allows after variables were filled in.',
      action: 'Shorten the field, then send again.',
    },
    content: {
      cause: 'The carrier does not accept a field of the message.',
      action: 'Correct the field, then send again.',
    },
    handset: {
      cause: 'The phone or the messenger of the recipient cannot receive this message.',
      action: 'Add a text message as fallback to the flow.',
    },
    blocked: {
      cause: 'The recipient has blocked the channel or this kind of message.',
      action: 'Do not send to this recipient on this channel.',
    },
    file: {
      cause: 'The file is unknown to the carrier or has expired there.',
      action: 'Upload the file again and use its new key.',
    },
  },
}
