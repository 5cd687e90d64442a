/** Aligo (smartsms.aligo.in): SMS and LMS. An example of a provider of an operator's own: docs/contributing/add-a-provider.md. */
import type * as Kit from '../../gateway/src/carriers/connectors/providers/kit/index.ts'

/** A wrong key or user, no credit, and an address of this gateway that is not registered at Aligo. */
const accountCodes = new Set(['-101', '-201', '-301'])

// oxlint-disable-next-line no-restricted-exports -- the gateway calls the default export of a module.
export default (kit: typeof Kit) => {
  const { accepted, at, formRequest, listAt, readKoreanTime, refused, standardOutcome, textAt } = kit

  return kit.defineProvider({
    name: 'aligo',
    summary: 'SMS and LMS over the API of Aligo.',
    channels: ['sms', 'mms'],
    sources: [
      'https://smartsms.aligo.in/admin/api/spec.html',
      'https://demosms.aligo.in/admin/api/status.html',
    ],
    checked: '2026-11-18',
    unconfirmed: [
      'The words of `sms_state`: a word with 완료 or 성공 counts as delivered, with 실패, 취소 or 반송 as failed.',
      'The codes -101, -201 and -301, which public code uses for the account, its credit and its address.',
    ],
    notes: 'Register the senders and the addresses of the workers at Aligo. Images are not supported.',
    account: {
      url: kit.apiUrl('https://apis.aligo.in'),
      userId: kit.accountName('User.', 64),
      apiKey: kit.secret('API key.'),
    },
    example: { userId: 'my-user', apiKey: 'env:POSTERN_ROUTE_SECRET_ALIGO_API_KEY' },
    login: ({ url, userId }) => [url, userId],

    send({ message, from, to }, { account, number }) {
      if (message.channel !== 'sms' && message.channel !== 'mms')
        return refused('unsupported', 'aligo:channel', 'SMS and LMS only')
      const title = 'title' in message.content ? message.content.title : undefined
      if ('fileKeys' in message.content && message.content.fileKeys.length > 0)
        return refused('attachment', 'aligo:image', 'images are not supported')
      return formRequest(at(account.url)`/send/`, {
        key: account.apiKey,
        user_id: account.userId,
        sender: number(from, 'domestic'),
        receiver: number(to, 'domestic'),
        msg: message.content.text,
        msg_type: message.channel === 'sms' ? 'SMS' : 'LMS',
        title,
      })
    },

    /** The status is always 200; `result_code` is 1, or negative. */
    parseResponse(answer) {
      const code = textAt(answer.json, 'result_code')
      const id = textAt(answer.json, 'msg_id')
      if (answer.isSuccess && code === '1' && id !== '') return accepted(id)
      const text = textAt(answer.json, 'message')
      if (accountCodes.has(code)) return { kind: 'account-refused', code, text }
      if (answer.isSuccess && /^-\d+$/.test(code)) return refused('refused', code, text)
      return standardOutcome(answer, { code, text })
    },

    lookup: {
      by: 'carrierId',
      request: ({ carrierId }, { account }) =>
        formRequest(at(account.url)`/sms_list/`, {
          key: account.apiKey,
          user_id: account.userId,
          mid: carrierId!,
        }),
      read(answer, { carrierId }) {
        if (!answer.isSuccess || textAt(answer.json, 'result_code') !== '1') return null
        const [found] = listAt(answer.json, 'list')
        if (found === undefined) return 'not-found'
        const state = textAt(found, 'sms_state')
        return {
          id: carrierId!,
          result: /실패|취소|반송/.test(state) ? 'failed' : /완료|성공/.test(state) ? 'delivered' : 'pending',
          code: state,
          recipient: textAt(found, 'receiver'),
          at: readKoreanTime(textAt(found, 'send_date')),
        }
      },
    },
  })
}
