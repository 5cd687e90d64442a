import assert from 'node:assert/strict'
import type { SubmitOutcome } from '../../../src/carriers/connectors/connector.ts'
import type { RouteJob } from '../../../src/jobs/jobs.ts'
import { SubscriptionLost } from '../../../src/platform/broker/consume.ts'
import { ProcessStopping } from '../../../src/platform/database/retry.ts'
import { expiredOutcome, interrupted } from '../../../src/pipeline/dispatch/step/outcomes.ts'
import type { StepPorts } from '../../../src/pipeline/dispatch/step/ports.ts'
import type { StateName } from '../../../src/pipeline/dispatch/step/states.ts'
import type { AttemptRow } from '../../../src/records/attempts/attempts.ts'
import { longStep, routeId } from '../../support/fixtures.ts'
import type { ModelChoice, World } from './explore.ts'
import { MemoryClaims } from './memory-claims.ts'
import { ModelOwner, type ModelDelivery, type PendingCall } from './owner.ts'

export type ModelFault = 'crash' | 'lost reply' | 'cut off' | 'lost subscription'
export type ModelEvent =
  | 'handover'
  | 'deadline'
  | 'refusing rule'
  | 'delaying rule'
  | 'closing'
  | 'moving'
  | 'overdue'

export interface Scenario {
  /** Whether the carrier detects repeated submissions. */
  readonly isRepeatable?: boolean
  /** Possible responses of the carrier in addition to `accepted`. */
  readonly answers: readonly Exclude<SubmitOutcome['kind'], 'accepted'>[]
  /** Maximum number of responses other than `accepted` in a schedule. */
  readonly maxSetbacks: number
  /** Possible faults, at most `maxFaults` in a schedule. */
  readonly faults: readonly ModelFault[]
  readonly maxFaults?: number
  /** Possible events, each at most once in a schedule. */
  readonly events: readonly ModelEvent[]
}

type SettleJob =
  | { readonly kind: 'verdict'; readonly state: 'unclaimed' | 'claimed' }
  | { readonly kind: 'answers'; readonly rows: readonly AttemptRow[]; readonly token: number }

const job: RouteJob = {
  v: 1,
  msgKey: 'M',
  accountId: 1,
  step: 1,
  try: 1,
  to: '01000000000',
  content: longStep,
  dueAt: Number.MAX_SAFE_INTEGER,
  routeId: 'route',
  lane: 'normal',
}
const parts = [1, 2].map((part) => ({ part, parts: 2, content: null }))
const outcomes: Readonly<Record<SubmitOutcome['kind'], SubmitOutcome>> = {
  accepted: { kind: 'accepted', carrierId: 'id' },
  refused: { kind: 'refused', cause: 'bad-number', code: 'r', text: '' },
  throttled: { kind: 'throttled', code: 't', retryAfterMs: 1 },
  unreachable: { kind: 'unreachable', code: 'u', text: '' },
  unknown: { kind: 'unknown', code: 'x', text: '' },
}
const denials = {
  fail: { verdict: 'fail', rule: 'sender', cause: 'spam', text: '' },
  hold: { verdict: 'hold', rule: 'quiet-hours', until: 0 },
} as unknown as Record<'fail' | 'hold', NonNullable<ReturnType<StepPorts['checkRules']>>>
/** Fields without effect on later behaviour. */
const ignored = new Set(['content', 'startedMs', 'submittedAt', 'afterMs', 'heldMs', 'recipient'])

/**
 * A route, its queue, PostgreSQL, settle and a carrier with one message of two parts. Choices are the
 * responses to pending calls of owners, deliveries, and the faults and events of the scenario.
 */
export class DispatchWorld implements World {
  readonly #scenario: Scenario
  readonly #onTransition: (from: StateName, to: StateName) => void
  readonly #claims = new MemoryClaims()
  readonly #queue: RouteJob[] = [job]
  readonly #settle: SettleJob[] = []
  readonly #owners: ModelOwner[] = [new ModelOwner('A')]
  /** Statements that PostgreSQL executes after their owner abandoned them. */
  readonly #late: PendingCall[] = []
  /** Submissions. `null` means open or lost with a crashed owner. */
  readonly #submissions: { readonly part: number; outcome: SubmitOutcome['kind'] | null }[] = []
  readonly #events: Set<ModelEvent>
  #waiting: RouteJob | null = null
  #faultsLeft: number
  #setbacksLeft: number
  #ended: string[] = []
  #isPastDeadline = false
  #denial: 'fail' | 'hold' | null = null
  #isClosed = false
  #isOverdue = false
  #hasCrashed = false
  #created = 1
  #failure: Error | undefined

  constructor(scenario: Scenario, onTransition: (from: StateName, to: StateName) => void) {
    this.#scenario = scenario
    this.#onTransition = onTransition
    this.#events = new Set(scenario.events)
    this.#setbacksLeft = scenario.maxSetbacks
    this.#faultsLeft = scenario.maxFaults ?? 1
  }

  choices(): ModelChoice[] {
    return [...this.#progress(), ...this.#happenings(), ...this.#faults()]
  }

  key(): string {
    const owners = this.#owners.map((owner) => [
      owner.name,
      owner.isStopping,
      owner.isCutOff,
      owner.tokens,
      owner.endsLater.length,
      Array.from(owner.deliveries, ({ job: heldJob, isLost, isOverdue, state, calls, controller }) => [
        [heldJob, isLost, isOverdue, controller.signal.aborted, state],
        Array.from(calls, ({ label }) => label),
      ]),
    ])
    return JSON.stringify(
      [
        owners,
        this.#claims.row,
        [...this.#claims.outcomes].sort(),
        this.#queue,
        this.#waiting,
        this.#settle,
        this.#late.map(({ label }) => label),
        this.#submissions.map(({ part, outcome }) => `${part} ${outcome}`).sort(),
        [...this.#events],
        [
          this.#faultsLeft,
          this.#setbacksLeft,
          this.#ended,
          this.#isPastDeadline,
          this.#denial,
          this.#isClosed,
          this.#isOverdue,
          this.#hasCrashed,
        ],
      ],
      (field, value: unknown) => (ignored.has(field) ? undefined : value),
    )
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure
    assert.ok(this.#ended.length <= 1, `the step ended more than once: ${this.#ended.join(', ')}`)
    if (this.#progress().length === 0) this.#checkAtRest()
  }

  /** Checks the end of a schedule: the step has ended, or every part waits for its receipt. */
  #checkAtRest(): void {
    for (const { name, deliveries } of this.#owners)
      assert.equal(deliveries.size, 0, `owner ${name} holds a delivery and does nothing`)
    const { row, outcomes: recorded } = this.#claims
    if (row === null) return
    assert.equal(row.state, 'claimed', 'the step is stuck: it is not claimed, and no job of it exists')
    for (const { part } of parts) {
      const outcome = recorded.get(part)
      assert.ok(outcome !== undefined, `the step is stuck: part ${part} has no answer`)
      assert.notEqual(outcome, 'refused', 'the step is stuck: its refusal was not published')
      // After a crash it is unknown whether the part was submitted.
      if (outcome === 'unknown' && !this.#hasCrashed && !this.#isGivenUp(part))
        assert.ok(
          this.#submissions.some(
            (submission) => submission.part === part && isPerhapsAccepted(submission.outcome),
          ),
          `part ${part} is unknown, although it was certainly not accepted`,
        )
    }
  }

  /** Reports whether the part may be one that did not get its turn after other parts, before its owner or delivery ended. */
  #isGivenUp(part: number): boolean {
    const isRest = this.#submissions.some(
      (submission) => submission.part !== part && !isCertainlyNotAccepted(submission.outcome),
    )
    return isRest && (this.#isOverdue || this.#owners.some(({ isStopping }) => isStopping))
  }

  #progress(): ModelChoice[] {
    const choices: ModelChoice[] = []
    const add = (label: string, take: () => void): void => void choices.push({ label, take })
    for (const owner of this.#owners)
      for (const delivery of owner.deliveries)
        for (const call of delivery.calls) choices.push(...this.#answers(owner, delivery, call))
    const consumer = this.#owners.at(-1)!
    const [first] = this.#queue
    if (first !== undefined)
      add(`${consumer.name} receives ${describe(first)}`, () => {
        this.#queue.shift()
        this.#deliver(consumer, first)
      })
    if (this.#settle.length > 0) add('settle', () => this.#settleNext())
    const waiting = this.#waiting
    if (waiting !== null)
      add('the step is released again', () => {
        if (this.#claims.row !== null) this.#queue.push(waiting)
        this.#waiting = null
      })
    for (const [index, call] of this.#late.entries())
      add(`late: ${call.label}`, () => {
        this.#late.splice(index, 1)
        call.apply()
      })
    for (const owner of this.#owners)
      if (owner.endsLater.length > 0 && !owner.isStopping)
        add(`${owner.name} publishes late refusals`, () => {
          owner.endsLater.pop()
          this.#endAgain()
        })
    return choices
  }

  #answers(owner: ModelOwner, delivery: ModelDelivery, call: PendingCall): ModelChoice[] {
    const label = `${owner.name} ${call.label}`
    const respond = (choiceLabel: string, value: () => unknown): ModelChoice => ({
      label: choiceLabel,
      take: () => {
        delivery.calls.delete(call)
        call.resolve(value())
      },
    })
    switch (call.to) {
      case 'scheduler':
        if (this.#isPastDeadline) return [respond(`${label}: expired`, () => 'expired')]
        if (delivery.isOverdue) return [respond(`${label}: held`, () => 'held')]
        return [
          respond(`${label}: go`, () => 'go'),
          // The end of the drain.
          ...(owner.isStopping ? [respond(`${label}: stopping`, () => 'stopping')] : []),
        ]
      case 'carrier':
        return this.#carrierAnswers(call).map((kind) =>
          respond(`${label}: ${kind}`, () => this.#answerSubmission(call, kind)),
        )
      case 'database':
        if (owner.isCutOff) return [{ label: `${label}: no reply`, take: () => giveUp(delivery, call) }]
        return [respond(label, call.apply)]
      default:
        return [respond(label, call.apply)]
    }
  }

  #carrierAnswers({ label }: PendingCall): SubmitOutcome['kind'][] {
    if (this.#setbacksLeft === 0) return ['accepted']
    // The response to a repeat shows only that the carrier has the message.
    if (label.startsWith('repeat')) return ['accepted', 'unknown']
    return ['accepted', ...this.#scenario.answers]
  }

  #answerSubmission({ part }: PendingCall, kind: SubmitOutcome['kind']): SubmitOutcome {
    if (kind !== 'accepted') this.#setbacksLeft--
    const open = this.#submissions.findLast(
      (submission) => submission.part === part && submission.outcome === null,
    )
    open!.outcome = kind
    return outcomes[kind]
  }

  #happenings(): ModelChoice[] {
    const consumer = this.#owners.at(-1)!
    const effects: Record<ModelEvent, (() => void) | undefined> = {
      handover: () => this.#replace(consumer, () => stop(consumer)),
      deadline: () => {
        this.#isPastDeadline = true
        if (this.#claims.row !== null) this.#end('deadline')
      },
      'refusing rule': () => (this.#denial = 'fail'),
      'delaying rule': () => (this.#denial = 'hold'),
      closing: () => {
        this.#isClosed = true
        this.#decideWaiting('held')
      },
      moving: () => this.#decideWaiting('moved'),
      overdue: () => {
        this.#isOverdue = true
        for (const delivery of consumer.deliveries) {
          delivery.isOverdue = true
          delivery.controller.abort()
        }
      },
    }
    return Array.from(this.#events, (event) => ({
      label: `event: ${event}`,
      take: () => {
        this.#events.delete(event)
        effects[event]!()
      },
    }))
  }

  /** Sets the admission of unclaimed waiting steps. */
  #decideWaiting(admission: 'held' | 'moved'): void {
    for (const { deliveries } of this.#owners)
      for (const delivery of deliveries)
        for (const call of delivery.calls)
          if (call.to === 'scheduler' && call.isRest !== true) {
            delivery.calls.delete(call)
            call.resolve(admission)
          }
  }

  #faults(): ModelChoice[] {
    if (this.#faultsLeft === 0) return []
    const choices: ModelChoice[] = []
    const add = (fault: ModelFault, label: string, take: () => void): void => {
      if (!this.#scenario.faults.includes(fault)) return
      choices.push({
        label: `fault: ${label}`,
        take: () => {
          this.#faultsLeft--
          take()
        },
      })
    }
    for (const owner of this.#owners) {
      const { name, deliveries } = owner
      if (deliveries.size === 0) continue
      add('crash', `${name} crashes`, () => this.#replace(owner, () => this.#crash(owner)))
      add('lost subscription', `${name} loses its subscription`, () => this.#loseSubscription(owner))
      const statements = [...deliveries].flatMap((delivery) =>
        Array.from(delivery.calls, (call) => ({ delivery, call })).filter(
          ({ call }) => call.to === 'database',
        ),
      )
      add('cut off', `${name} is cut off`, () => this.#cutOff(owner))
      for (const { delivery, call } of statements) {
        add('cut off', `${name} is cut off after ${call.label}`, () => {
          call.apply()
          this.#cutOff(owner)
        })
        add('cut off', `${name} is cut off, ${call.label} is executed later`, () => {
          this.#late.push(call)
          this.#cutOff(owner)
        })
        if (!owner.isStopping)
          add('lost reply', `${name} repeats ${call.label}, the first copy is executed later`, () => {
            this.#late.push(call)
          })
        add('lost reply', `the reply to ${name} ${call.label} is lost`, () => {
          call.apply()
          // Otherwise the owner repeats the statement.
          if (owner.isStopping) giveUp(delivery, call)
        })
      }
    }
    return choices
  }

  #cutOff(owner: ModelOwner): void {
    owner.isCutOff = true
    this.#replace(owner, () => stop(owner))
  }

  #crash(owner: ModelOwner): void {
    this.#hasCrashed = true
    this.#owners.splice(this.#owners.indexOf(owner), 1)
    for (const { isLost, job: heldJob } of owner.deliveries) if (!isLost) this.#queue.push(heldJob)
  }

  #loseSubscription({ deliveries }: ModelOwner): void {
    for (const delivery of deliveries) {
      if (!delivery.isLost) this.#queue.push(delivery.job)
      delivery.isLost = true
      delivery.controller.abort(new SubscriptionLost())
    }
  }

  /** Stops the owner. If it consumed the queue, another owner does from now on. */
  #replace(owner: ModelOwner, leave: () => void): void {
    const isConsumer = owner === this.#owners.at(-1)
    leave()
    if (isConsumer) this.#owners.push(new ModelOwner(String.fromCharCode(65 + this.#created++)))
  }

  #deliver(owner: ModelOwner, delivered: RouteJob): void {
    owner
      .receive(delivered, (delivery) => this.#createPorts(owner, delivery), this.#onTransition)
      .then((result) => {
        if (result === 'returned') this.#queue.push(delivered)
      })
      .catch((error: unknown) => (this.#failure = error as Error))
  }

  #settleNext(): void {
    const next = this.#settle.shift()!
    if (next.kind === 'verdict') {
      if (this.#claims.row?.state === next.state) this.#fail()
      return
    }
    const isRefused = ({ outcome }: AttemptRow): boolean => outcome === 'refused'
    const isLost = next.rows.some(isRefused) && !this.#claims.keep({ ...job, token: next.token })
    const rows = isLost ? next.rows.filter((row) => !isRefused(row)) : next.rows
    this.#claims.record(rows)
    const isFailed = rows.some((row) => isRefused(row) && this.#claims.outcomes.get(row.part) === 'refused')
    if (isFailed && this.#claims.row?.state === 'claimed') this.#fail()
  }

  #fail(): void {
    const perhapsAccepted = this.#submissions.filter(({ outcome }) => isPerhapsAccepted(outcome))
    const isRefused = this.#submissions.some(
      ({ part, outcome }) => outcome === 'refused' && perhapsAccepted.every((other) => other.part !== part),
    )
    assert.ok(
      isRefused || perhapsAccepted.length === 0,
      'the step failed, although the carrier may have accepted it',
    )
    this.#end('failed')
  }

  #end(how: string): void {
    this.#ended.push(how)
    this.#claims.row = null
  }

  #endAgain(): void {
    if ([...this.#claims.outcomes.values()].includes('refused'))
      this.#settle.push({ kind: 'verdict', state: 'claimed' })
  }

  #beginSubmission(part: number, isRepeat: boolean): void {
    const before = this.#submissions.filter((submission) => submission.part === part)
    const isAllowed =
      this.#scenario.isRepeatable === true || before.every(({ outcome }) => isCertainlyNotAccepted(outcome))
    assert.ok(isAllowed, `part ${part} is submitted again, although the carrier may have it`)
    assert.ok(this.#ended.length === 0, `part ${part} is submitted after the step has ended`)
    assert.ok(
      !isRepeat || this.#scenario.isRepeatable,
      'a part is repeated where the carrier does not recognize it',
    )
    this.#submissions.push({ part, outcome: null })
  }

  #createPorts(owner: ModelOwner, { calls }: ModelDelivery): StepPorts {
    const { isRepeatable = false } = this.#scenario
    const call = (to: PendingCall['to'], label: string, apply: () => unknown, more = {}): Promise<never> =>
      new Promise<unknown>((resolve, reject) => {
        calls.add({ to, label, apply, resolve, reject, ...more })
      }) as Promise<never>
    const submit =
      (label: string, isRepeat: boolean, expired: SubmitOutcome) => (_: RouteJob, submitted: typeof parts) =>
        Promise.all(
          submitted.map(({ part }) => {
            if (this.#isPastDeadline) return Promise.resolve(expired)
            this.#beginSubmission(part, isRepeat)
            return call('carrier', `${label} ${part}`, () => undefined, { part })
          }),
        )
    const claims = this.#claims
    const describeRows = (rows: readonly AttemptRow[]): string =>
      rows.map(({ part, outcome }) => `${part} ${outcome}`).join(' ')
    return {
      attempts: { routeId },
      isRepeatable,
      isLinked: true,
      get isStopping() {
        return owner.isStopping
      },
      toParts: () => parts,
      createClaim: () => ({
        ...job,
        token: owner.nextToken(),
        repeatableOn: isRepeatable ? routeId : undefined,
      }),
      findReturn: () => (this.#isClosed ? { kind: 'same-route' } : null),
      checkRules: () => (this.#denial === null ? null : denials[this.#denial]),
      enter: (_step, _parts, isRest) =>
        owner.isStopping && !isRest
          ? Promise.resolve('stopping')
          : call('scheduler', 'enter', () => 'go', { isRest }),
      leave: () => undefined,
      returnUnused: () => undefined,
      pause: () => undefined,
      delay: () => (owner.isStopping ? Promise.resolve(false) : call('timer', 'delay', () => true)),
      submit: submit('submit', false, expiredOutcome),
      repeat: submit('repeat', true, interrupted),
      returnPreviousClaim: ({ unsubmittedClaim: token, ...plain }) =>
        call('database', `return claim ${token}`, () => {
          claims.returnClaim({ ...plain, token: token! })
          return plain
        }),
      claim: (claim) => call('database', `claim ${claim.token}`, () => claims.claim(claim)),
      takeOver: (claim) => call('database', `take over ${claim.token}`, () => claims.takeOver(claim)),
      returnClaim: (claim) =>
        call('database', `return claim ${claim.token}`, () => claims.returnClaim(claim)),
      record: (_, rows) => call('database', `record ${describeRows(rows)}`, () => claims.record(rows)),
      endStepAgain: () => call('database', 'end again', () => this.#endAgain()),
      endStepLater: (later) => void owner.endsLater.push(later),
      publishOutcomes: (rows, token) =>
        call(
          'broker',
          `hand over ${describeRows(rows)}`,
          () => void this.#settle.push({ kind: 'answers', rows, token }),
        ),
      publishForNextOwner: (passed) =>
        call('broker', `pass on ${describe(passed)}`, () => void this.#queue.push(passed)),
      endStep: () =>
        call('database', 'end', () => void this.#settle.push({ kind: 'verdict', state: 'claimed' })),
      returnStep: (returned, { kind }) =>
        kind === 'failed'
          ? call('broker', 'fail', () => void this.#settle.push({ kind: 'verdict', state: 'unclaimed' }))
          : call('database', `return ${kind}`, () => {
              // The table holds neither a claim nor parts.
              this.#waiting = returned.tries === undefined ? job : { ...job, tries: returned.tries }
            }),
    }
  }
}

function isPerhapsAccepted(outcome: SubmitOutcome['kind'] | null): boolean {
  return outcome === null || outcome === 'accepted' || outcome === 'unknown'
}

function isCertainlyNotAccepted(outcome: SubmitOutcome['kind'] | null): boolean {
  return outcome === 'throttled' || outcome === 'unreachable'
}

/** Stops the owner's consumption and ends its waiting steps, except remaining parts, which it submits while it drains. */
function stop(owner: ModelOwner): void {
  owner.isStopping = true
  for (const { calls } of owner.deliveries)
    for (const call of calls) {
      if (call.to !== 'timer' && (call.to !== 'scheduler' || call.isRest === true)) continue
      calls.delete(call)
      call.resolve(call.to === 'scheduler' ? 'stopping' : false)
    }
}

function giveUp({ calls }: ModelDelivery, call: PendingCall): void {
  calls.delete(call)
  call.reject(new ProcessStopping('PostgreSQL does not answer'))
}

function describe({ unsubmittedClaim, tries }: RouteJob): string {
  return `job ${JSON.stringify({ unsubmittedClaim, tries })}`
}
