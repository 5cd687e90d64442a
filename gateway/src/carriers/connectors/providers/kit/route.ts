/** Converts between the types of the gateway and those of provider modules. */
import { clock } from '../../../../platform/time/clock.ts'
import type { Receipt, Submission } from '../../connector.ts'
import { formatNumber } from '../../phone-number.ts'
import { normalizeNumber, toReplyAddress, type Reply } from '../../reply.ts'
import type { ProviderLinkOptions } from './options.ts'
import type { ProviderMessage, ProviderReceipt, ProviderReply, ProviderRoute } from './provider.ts'

export function createRoute<Account extends ProviderLinkOptions>(options: Account): ProviderRoute<Account> {
  const { callbackUrl, callbackToken, countryCode } = options
  return {
    account: options,
    callbackUrl:
      callbackUrl === undefined || callbackToken === undefined
        ? callbackUrl
        : `${callbackUrl.replace(/\/+$/, '')}/${callbackToken}`,
    number: (number, format) => formatNumber(number, format, countryCode),
  }
}

/** Copies the fields one by one: those of a submission can be getters of its class, which a spread omits. */
export function createMessage(submission: Submission): ProviderMessage {
  const { reference, from, to, part, message, given, originCid } = submission
  const { isAdvertisement, files, validUntil, ttlSeconds } = submission
  const leftMs = validUntil.getTime() - clock.timeBefore(validUntil)
  return {
    reference,
    from,
    to,
    part,
    message,
    given,
    originCid,
    isAdvertisement,
    files,
    validUntil,
    ttlSeconds,
    secondsLeft: Math.max(1, Math.floor(leftMs / 1_000)),
  }
}

export function toReceipt(receipt: ProviderReceipt): Receipt {
  const { id = '', reference, result, cause = 'failed', code, recipient = '', at = null } = receipt
  return {
    carrierId: id === '' ? null : id,
    ...(reference === undefined || reference === '' ? {} : { reference }),
    result,
    cause: result === 'delivered' ? 'delivered' : cause,
    code,
    recipient,
    sender: '',
    at,
    ...(receipt.carrier === undefined ? {} : { carrier: receipt.carrier }),
    ...(receipt.userType === undefined ? {} : { userType: receipt.userType }),
  }
}

export function toReply({ from, to, text, choice, id, at, part }: ProviderReply): Reply {
  return {
    from: normalizeNumber(from),
    to: to === '' ? [] : [toReplyAddress(normalizeNumber(to))],
    text,
    ...(choice === undefined ? {} : { choice }),
    ...(id === undefined ? {} : { id }),
    ...(at === undefined || at === null ? {} : { at }),
    ...(part === undefined ? {} : { part }),
  }
}
