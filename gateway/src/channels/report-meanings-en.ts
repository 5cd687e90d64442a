/** Report codes in English words: what each means, why it usually comes, what to do next. By cause, see report-meaning.ts. */
import { words, type Words } from './report-meaning.ts'

export const english: Words = {
  byCause: {
    delivered: words('Delivered', 'The carrier confirmed that the phone has the message.', 'Nothing.'),
    timeout: words(
      'No delivery within the time allowed',
      'The phone was off or out of reach, or the carrier sent no receipt in time.',
      'Send again later, or allow more time (ttl).',
    ),
    'radio-failure': words(
      'Radio failure',
      'The network could not reach the phone over the air.',
      'Send again after some minutes.',
    ),
    'phone-off': words(
      'Phone switched off',
      'The phone stayed off until the carrier gave up.',
      'Send again later.',
    ),
    'buffer-full': words(
      'Message memory of the phone full',
      'The phone has no room for another message.',
      'Ask the recipient to delete messages; send again later.',
    ),
    'shadow-area': words(
      'Phone in a shadow area',
      'The phone is where no network reaches it.',
      'Send again later.',
    ),
    'temporary-failure': words(
      'Temporary failure at the carrier',
      "The carrier's network was disturbed or overloaded.",
      'Send again later; if many fail, ask the operator.',
    ),
    failed: words(
      'Delivery failed',
      'The carrier gave up and named no closer reason.',
      'Check the number; if others on the same route fail too, ask the operator.',
    ),
    'no-subscriber': words(
      'No such subscriber',
      'The number is not in service, or was given up.',
      'Remove the number from your list.',
    ),
    'bad-number': words(
      'Wrong recipient number',
      'The carrier does not take this number: wrong digits, or a number of another kind.',
      'Correct the number; do not send to it again as it is.',
    ),
    refused: words(
      'Refused by the carrier',
      'The carrier would not take the message, often for its content or its sender.',
      'Check sender and content; ask the operator for the carrier code.',
    ),
    unsupported: words(
      'Not supported by the phone',
      'The phone, its software or its subscription cannot show this kind of message.',
      'Send it as a text, or give the flow a fallback.',
    ),
    spam: words(
      'Blocked as spam',
      'A filter of the carrier or of the recipient took it for spam.',
      'Check links and wording; the advertisement marks must be in place.',
    ),
    attachment: words(
      'Attachment not acceptable',
      'The image or file is too large, of a wrong kind, or could not be fetched.',
      'Upload it again within the limits and send again.',
    ),
    'unregistered-sender': words(
      'Sender number not registered',
      'The sender is not registered with the carrier for this account.',
      'Register the sender, then send again.',
    ),
    duplicate: words(
      'Duplicate message',
      'The carrier saw the same message to the same recipient shortly before.',
      'Nothing, if it was sent twice; else change the text.',
    ),
    'night-hours': words(
      'Advertisement in barred hours',
      'Advertisements may not be delivered at this hour.',
      'Send it in the hours allowed.',
    ),
    'origin-code': words(
      'Wrong originCID',
      'The identifier of the original sender is missing at the carrier or wrong.',
      'Correct originCID, or have it registered.',
    ),
    cancelled: words(
      'Cancelled before it was sent',
      'The client took the scheduled message back before its time.',
      'Nothing.',
    ),
    'no-route': words(
      'No route for this message',
      'The operator has no route that serves this channel, or all are disabled.',
      'Ask the operator; `postern route list` shows the routes.',
    ),
    'outcome-unknown': words(
      'The carrier never said what became of it',
      'The answer was lost and no receipt came: the recipient may have it or not.',
      'Ask the recipient, or the carrier through the operator, before sending again.',
    ),
  },
  // Codes that mean something of their own in their family.
  byCode: {
    '33101': words(
      'The phone does not support RCS',
      'The phone, or its carrier, has no RCS, or it is switched off.',
      'Give the flow a text as its fallback.',
    ),
    '61003': words(
      'Wrong sender key',
      'The sender key is unknown to the messenger, blocked, or not of this account.',
      'Correct the sender key.',
    ),
    '63005': words(
      'No confirmation from the messenger',
      'The messenger did not say in time whether the message was delivered.',
      'Give the flow a text as its fallback.',
    ),
    '63019': words(
      'Not a user of the messenger',
      'The number has no account of the messenger.',
      'Send a text instead.',
    ),
    '63020': words(
      'Blocked by the recipient',
      'The recipient has blocked the channel or this kind of message.',
      'Do not send to it by this channel.',
    ),
    '69999': words(
      'Delivery failed',
      'The messenger gave up and named no reason that has a code here.',
      'Look at the carrier code of the attempt; give the flow a fallback.',
    ),
  },
}
