import { isBucketEmpty } from '../memory-limiter.ts'
import type { BlockedBacklogMode } from '../../../../src/identity/accounts/blocks.ts'
import type { RuleId } from '../../../../src/trust/rules.ts'
import type { SenderKind } from '../../../../src/trust/senders/sender.ts'
import type { RecipientChoice } from '../../../../src/trust/suppression/choice.ts'
import type { modelRoutes } from '../routes.ts'
import type { KnownStep, KnownRecipient } from './flows.ts'
import type { AcceptedMessage, KnownAccountState, KnownRegistration, ExpectedDecision } from './known.ts'
import { nextOpening } from './local-hours.ts'

export const minute = 60_000

/** Literal implementation of all trust rules, without an index or code of the gateway. */
export class ReferencePolicy {
  now = Date.parse('2026-11-14T03:00:00Z')
  readonly rules = new Set<RuleId>()
  readonly registered: KnownRegistration[] = []
  readonly choices = new Map<string, RecipientChoice>()
  readonly blocked = new Map<number, BlockedBacklogMode>()
  readonly accepted: AcceptedMessage[] = []
  readonly accounts: ReadonlyMap<number, KnownAccountState>
  readonly #nextOpening: typeof nextOpening

  constructor(accounts: ReadonlyMap<number, KnownAccountState>, findOpening = nextOpening) {
    this.accounts = accounts
    this.#nextOpening = findOpening
  }

  #last(accountId: number, kind: SenderKind, value: string): KnownRegistration | undefined {
    return this.registered.findLast(
      (one) => one.accountId === accountId && one.kind === kind && one.value === value,
    )
  }

  #isBlockedSender(accountId: number, value: string): boolean {
    return (['number', 'international', 'chatbot', 'brand', 'kakao-key', 'kakao-template'] as const).some(
      (kind) => this.#last(accountId, kind, value)?.state === 'blocked',
    )
  }

  #sendersComply(accountId: number, { senders }: KnownStep, at: number): boolean {
    const { sandbox } = this.accounts.get(accountId)!.trust
    return senders.every(({ rule, kinds, value }) => {
      if (this.#isBlockedSender(accountId, value)) return false
      if (sandbox || !this.rules.has(rule)) return true
      return kinds.some((kind) => {
        const last = this.#last(accountId, kind, value)
        return last?.state === 'active' && (last.until === null || at < last.until)
      })
    })
  }

  isAd(accountId: number, { isAd, step }: KnownStep): boolean {
    const { advertiser } = this.accounts.get(accountId)!.advertising
    return isAd || (advertiser && ['sms', 'mms', 'international'].includes(step.channel))
  }

  /** Form rules do not apply to international texts. */
  #formComplies(accountId: number, known: KnownStep): boolean {
    const { channel } = known.step
    if (channel === 'international') return true
    const isText = channel === 'sms' || channel === 'mms'
    if (isText && !this.isAd(accountId, known)) return true
    if (known.broken.some((rule) => this.rules.has(rule))) return false
    return this.#isRegistered(accountId, known)
  }

  /** Reports whether the name and opt-out number of an advertisement are registered. */
  #isRegistered(accountId: number, known: KnownStep): boolean {
    const { names, optOutNumbers } = this.accounts.get(accountId)!.advertising
    const { channel } = known.step
    if (!this.isAd(accountId, known)) return true
    const isText = channel === 'sms' || channel === 'mms'
    const needsName = isText && this.rules.has('advertisement-sender-name')
    if (needsName && !names.includes(known.name ?? '')) return false
    const needsNumber = (isText || channel === 'rcs') && this.rules.has('advertisement-opt-out-registered')
    return !needsNumber || optOutNumbers.includes(known.optOut ?? '')
  }

  #originComplies(accountId: number, { step: { channel } }: KnownStep): boolean {
    if ((channel !== 'sms' && channel !== 'mms') || !this.rules.has('origin-code-present')) return true
    const { kind, originCodes } = this.accounts.get(accountId)!.trust
    return originCodes.length > 0 || kind === 'customer'
  }

  #mayReceive(accountId: number, { to }: KnownRecipient): boolean {
    const accountChoice = this.choices.get(`${accountId}/${to}`)
    if (accountChoice?.state === 'suppressed' || this.choices.get(`0/${to}`)?.state === 'suppressed')
      return false
    return accountChoice?.state === 'agreed' || !this.rules.has('advertisement-consent')
  }

  /** Returns the first time from `at` on when the step can be sent. Only advertisements have to wait. */
  #opening(accountId: number, known: KnownStep, { to, country }: KnownRecipient, at: number): number {
    const isAbroad = known.step.channel === 'international'
    const rule = isAbroad ? 'advertisement-country-hours' : 'advertisement-quiet-hours'
    if (!this.rules.has(rule) || !this.isAd(accountId, known)) return at
    const accountChoice = this.choices.get(`${accountId}/${to}`)
    if (!isAbroad && accountChoice?.state === 'agreed' && accountChoice.night) return at
    return this.#nextOpening(isAbroad ? country : 'KR', at)
  }

  #countryIsOpen(accountId: number, { to, country }: KnownRecipient): boolean {
    const { trust, protection } = this.accounts.get(accountId)!
    if (!to.startsWith('+') || trust.sandbox || !this.rules.has('country-enabled')) return true
    return protection.countries.includes('*') || protection.countries.includes(country ?? '')
  }

  /** Returns the expected decision for a send. */
  decideSend(
    accountId: number,
    recipient: KnownRecipient,
    flow: readonly KnownStep[],
    { sendAt, ttlMinutes }: { readonly sendAt: number | null; readonly ttlMinutes: number },
  ): 'accepted' | 'held' | 'refused' {
    const complies = flow.every(
      (known) =>
        this.#sendersComply(accountId, known, this.now) &&
        this.#formComplies(accountId, known) &&
        this.#originComplies(accountId, known) &&
        (!this.isAd(accountId, known) || this.#mayReceive(accountId, recipient)),
    )
    if (!complies || !this.#countryIsOpen(accountId, recipient)) return 'refused'
    if (recipient.isPremium && this.rules.has('premium-recipient')) return 'refused'
    const at = sendAt ?? this.now
    const opening = this.#opening(accountId, flow[0]!, recipient, at)
    const { night, protection, trust } = this.accounts.get(accountId)!
    const waits = night === 'hold' && opening < at + ttlMinutes * minute
    const moves = night !== 'refuse' && flow.slice(1).some((known) => !this.isAd(accountId, known))
    if (opening !== at && !waits && !moves) return 'refused'
    const isSuspicious =
      !trust.sandbox && (this.#isTooFast(accountId, recipient) || this.#hasLink(accountId, flow))
    if (isSuspicious && protection.onSuspicion === 'refuse') return 'refused'
    if (this.#exceedsCap(accountId, recipient, flow)) return 'refused'
    return isSuspicious ? 'held' : 'accepted'
  }

  #isTooFast(accountId: number, { to }: KnownRecipient): boolean {
    const { recipientPerHour } = this.accounts.get(accountId)!.protection
    if (!this.rules.has('recipient-velocity')) return false
    const before = this.accepted.filter(
      (one) => one.isCounted && one.accountId === accountId && one.recipient.to === to,
    )
    const times = before.map(({ at }) => at)
    return isBucketEmpty(times, recipientPerHour ?? 20, 60 * minute, this.now)
  }

  #hasLink(accountId: number, flow: readonly KnownStep[]): boolean {
    const { links, linkDomains } = this.accounts.get(accountId)!.protection
    if (!this.rules.has('link-allowed') || links === 'any') return false
    return flow.some(
      ({ host }) => host !== null && !linkDomains.includes(host) && (links === 'listed' || host === 'bit.ly'),
    )
  }

  #exceedsCap(accountId: number, recipient: KnownRecipient, flow: readonly KnownStep[]): boolean {
    const next = this.toAccepted(accountId, recipient, flow)
    return this.accounts.get(accountId)!.protection.caps.some(({ class: name, period, max }) => {
      const counts = (one: AcceptedMessage): boolean =>
        one.accountId === accountId &&
        (name === 'all' || one.channels.includes(name) || one.recipient.country === name) &&
        findPeriodStart(period, one.at) === findPeriodStart(period, this.now)
      return counts(next) && this.accepted.filter(counts).length + 1 > max
    })
  }

  toAccepted(accountId: number, recipient: KnownRecipient, flow: readonly KnownStep[]): AcceptedMessage {
    const channels = flow.map(({ step }) => step.channel)
    const { sandbox } = this.accounts.get(accountId)!.trust
    const isCounted =
      this.rules.has('recipient-velocity') && !sandbox && !this.#isTooFast(accountId, recipient)
    return { accountId, recipient, channels, at: this.now, isCounted }
  }

  /** Reports whether a step can use a route of `routes.ts`. */
  isRouteAllowed(
    accountId: number,
    { step: { channel }, senders }: KnownStep,
    route: keyof typeof modelRoutes,
  ): boolean {
    const { sandbox } = this.accounts.get(accountId)!.trust
    if (sandbox) return route === 'sandbox'
    const isText = channel === 'sms' || channel === 'mms'
    const carriesOriginCode = route === 'sandbox' || route === 'tagged'
    if (isText && !carriesOriginCode && this.rules.has('origin-code-carried')) return false
    const namesBrand = senders.some(({ kinds }) => kinds.includes('brand'))
    const isLent = route === 'lending' && channel === 'rcs' && !namesBrand
    return !isLent || !this.rules.has('rcs-brand-registered')
  }

  /** Returns the expected decision for a step before submission. Rules apply in this order. */
  decideSubmission(
    accountId: number,
    recipient: KnownRecipient,
    known: KnownStep,
    { at, dueAt, isSandbox }: { readonly at: number; readonly dueAt: number; readonly isSandbox: boolean },
  ): ExpectedDecision {
    const { trust, night } = this.accounts.get(accountId)!
    const blocked = this.blocked.get(accountId)
    if (blocked === 'close') return { failsBy: 'account-stopped' }
    if (blocked === 'hold') return { heldUntil: at + 5_000, by: 'account-stopped' }
    if (trust.sandbox && !isSandbox) return { failsBy: 'no-route' }
    if (!this.#sendersComply(accountId, known, at)) return { failsBy: 'unregistered-sender' }
    if (!this.#originComplies(accountId, known)) return { failsBy: 'origin-code' }
    if (!this.#isRegistered(accountId, known)) return { failsBy: 'advertisement-form' }
    if (this.isAd(accountId, known) && !this.#mayReceive(accountId, recipient))
      return { failsBy: 'suppressed' }
    const opening = this.#opening(accountId, known, recipient, at)
    if (opening !== at)
      return night === 'hold' && opening < dueAt
        ? { heldUntil: opening, by: 'night' }
        : { failsBy: 'night-hours' }
    return this.#countryIsOpen(accountId, recipient) ? 'submit' : { failsBy: 'no-route' }
  }
}

export const findPeriodStart = (period: string, at: number): string =>
  new Date(at).toISOString().slice(0, period === 'day' ? 10 : 7)
