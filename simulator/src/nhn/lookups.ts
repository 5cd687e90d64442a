/** Searches of NHN Cloud: by request, by grouping key and period, and by time of the result. */
import type { HttpResponse } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import { parseKoreanTime } from '../shared/korean.ts'
import { isComplete, isWithin } from '../shared/sent-messages.ts'
import type { SentMessages } from '../shared/sent-messages.ts'
import { kakaoReply, kakaoUpdate, kakaoView, smsReply, smsUpdate, smsView } from './messages.ts'
import type { NhnMessage, NhnProduct } from './messages.ts'

const DAY_MS = 86_400_000
const MONTH_MS = 31 * DAY_MS
const MAX_PAGE_SIZE = 1000

interface Period {
  readonly from: number
  readonly to: number
}

/** Returns undefined if the query contains no such period, and NaN for a malformed time. */
function readPeriod(query: URLSearchParams, name: string, withSeconds: boolean): Period | undefined {
  const texts = [query.get(`start${name}`), query.get(`end${name}`)]
  if (texts.some((text) => text === null)) return undefined
  const length = withSeconds ? 19 : 16
  const [from, to] = texts.map((text) => (text!.length === length ? parseKoreanTime(text!) : NaN))
  return { from: from!, to: to! }
}

/** A period in whole minutes includes its last minute. */
function includeLastMinute({ from, to }: Period): Period {
  return { from, to: to + 59_999 }
}

function isReadable({ from, to }: Period): boolean {
  return !Number.isNaN(from) && !Number.isNaN(to)
}

interface Page {
  readonly num: number
  readonly size: number
}

function readPage(query: URLSearchParams): Page | undefined {
  const num = Number(query.get('pageNum') ?? 1)
  const size = Number(query.get('pageSize') ?? 15)
  const isValid =
    Number.isInteger(num) && Number.isInteger(size) && num >= 1 && size >= 1 && size <= MAX_PAGE_SIZE
  return isValid ? { num, size } : undefined
}

function cutPage<T>(items: readonly T[], { num, size }: Page): readonly T[] {
  return items.slice((num - 1) * size, num * size)
}

/** Returns a filter by the query parameters common to all searches. */
function filterBy(query: URLSearchParams): (message: NhnMessage) => boolean {
  const [requestId, key, to] = ['requestId', 'recipientGroupingKey', 'recipientNo'].map((name) =>
    query.get(name),
  )
  return (message) =>
    (requestId === null || message.requestId === requestId) &&
    (key === null || message.groupingKey === key) &&
    (to === null || message.to === to)
}

export class NhnLookups {
  readonly #messages: SentMessages<NhnMessage>

  constructor(messages: SentMessages<NhnMessage>) {
    this.#messages = messages
  }

  smsList(product: NhnProduct, query: URLSearchParams): HttpResponse {
    const created = readPeriod(query, 'CreateDate', true) ?? readPeriod(query, 'RequestDate', true)
    const page = readPage(query)
    if (created === undefined && !query.has('requestId')) return smsReply(-2011)
    if (created !== undefined && !isReadable(created)) return smsReply(-2000)
    if (created !== undefined && created.to - created.from > MONTH_MS) return smsReply(-4000)
    if (page === undefined) return smsReply(4)
    return this.#smsPage(this.#search(product, query, created), page, smsView)
  }

  smsUpdates(query: URLSearchParams): HttpResponse {
    const updated = readPeriod(query, 'UpdateDate', true)
    const page = readPage(query)
    if (updated === undefined || page === undefined) return smsReply(4)
    if (!isReadable(updated)) return smsReply(-2000)
    if (updated.to - updated.from > DAY_MS) return smsReply(-1005)
    return this.#smsPage(
      [...this.#updates('sms', updated), ...this.#updates('mms', updated)],
      page,
      smsUpdate,
    )
  }

  smsSingle(product: NhnProduct, requestId: string, query: URLSearchParams): HttpResponse {
    const isKnown = this.#messages.list((message) => message.requestId === requestId).length > 0
    if (!isKnown) return smsReply(-2008)
    const message = this.#messages.get(`${requestId}/${query.get('recipientSeq') ?? ''}`)
    return message?.product === product ? smsReply(0, { body: { data: smsView(message) } }) : smsReply(-2012)
  }

  kakaoList(product: NhnProduct, query: URLSearchParams): HttpResponse {
    // Brand messages cannot be searched by creation date.
    const created =
      (product === 'alimtalk' ? readPeriod(query, 'CreateDate', false) : undefined) ??
      readPeriod(query, 'RequestDate', false)
    const page = readPage(query)
    if (created === undefined ? !query.has('requestId') : !isReadable(created)) return kakaoReply(-4103)
    if (created !== undefined && created.to - created.from > MONTH_MS) return kakaoReply(-4003)
    if (page === undefined) return kakaoReply(4)
    const found = this.#search(product, query, created && includeLastMinute(created))
    const messages = cutPage(found, page).map(kakaoView)
    return kakaoReply(0, { messageSearchResultResponse: { messages, totalCount: found.length } })
  }

  kakaoUpdates(query: URLSearchParams): HttpResponse {
    const updated = readPeriod(query, 'UpdateDate', false)
    const page = readPage(query)
    if (updated === undefined || !isReadable(updated) || page === undefined) return kakaoReply(4)
    if (updated.to - updated.from > MONTH_MS) return kakaoReply(-4003)
    const found = this.#updates('alimtalk', includeLastMinute(updated))
    return kakaoReply(0, { messages: cutPage(found, page).map(kakaoUpdate) })
  }

  kakaoSingle(product: NhnProduct, id: string): HttpResponse {
    const message = this.#messages.get(id)
    return message?.product === product ? kakaoReply(0, { message: kakaoView(message) }) : kakaoReply(-1016)
  }

  #search(product: NhnProduct, query: URLSearchParams, created: Period | undefined): NhnMessage[] {
    const isMatch = filterBy(query)
    return this.#messages.list(
      (message) =>
        message.product === product &&
        isMatch(message) &&
        (created === undefined || isWithin(message.createdAt, created.from, created.to)),
    )
  }

  #updates(product: NhnProduct, { from, to }: Period): NhnMessage[] {
    return this.#messages.list(
      (message) =>
        message.product === product && isComplete(message) && isWithin(message.completesAt, from, to),
    )
  }

  #smsPage(found: readonly NhnMessage[], page: Page, view: (message: NhnMessage) => Fields): HttpResponse {
    const data = cutPage(found, page).map(view)
    return smsReply(0, { body: { pageNum: page.num, pageSize: page.size, totalCount: found.length, data } })
  }
}
