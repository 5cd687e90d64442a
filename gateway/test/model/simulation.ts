import assert from 'node:assert/strict'
import type { Cause } from '../../src/channels/cause.ts'
import { findRefusals, recordAttempts, type AttemptRow } from '../../src/records/attempts/attempts.ts'
import { claimSteps, createClaim, returnClaims, type StepClaim } from '../../src/records/messages/claim.ts'
import { endSteps } from '../../src/pipeline/settle/end-steps.ts'
import { claimExpired } from '../../src/records/messages/expire.ts'
import { recordMessages } from '../../src/records/messages/record.ts'
import { inTransaction, type Database } from '../../src/platform/database/database.ts'
import { settleBatch, type SettledBatch } from '../../src/pipeline/settle/batch.ts'
import { testMetrics } from '../support/silent-log.ts'
import { testRoute } from '../support/routes.ts'
import { maxSteps } from '../../src/pipeline/accept/flow.ts'
import { testScope } from '../support/pipeline/settle-scope.ts'
import { inAnHour } from '../support/fixtures.ts'
import { Crash, crashAfter } from './crash.ts'
import type { StepEvidence, StepDecision } from './message-model.ts'
import { compare } from './compare.ts'
import { seededRandom } from './message-plan.ts'
import { foreignRoute, type PendingDelivery, type SimulatedMessage } from './simulated-message.ts'

const stepTtlSeconds = 3_600
/** Each step has a carrier. Two routes share its login. */
const routes = [
  testRoute(foreignRoute, { options: { host: 'foreign', systemId: 'postern' } }),
  ...Array.from({ length: maxSteps }, (_, n) => n + 1).flatMap((step) =>
    [`route-${step}`, `route-${step}-b`].map((id) =>
      testRoute(id, { options: { host: `carrier-${step}`, systemId: 'postern' } }),
    ),
  ),
]
const metrics = testMetrics()
const nothing: ReadonlySet<Cause> = new Set()

/**
 * Runs many messages concurrently through the real code on a real database, each in a separate random order:
 * repeated, early, late and reordered deliveries, and crashes between two statements. As in production,
 * messages in the same stage of a round share one bulk call.
 */
export class Simulation {
  readonly #database: Database
  readonly #messages: readonly SimulatedMessage[]
  readonly #random: () => number
  /** Claims returned in the last round of dispatch. */
  readonly #returned: { readonly message: SimulatedMessage; readonly claim: StepClaim }[] = []
  crashes = 0
  lostReplies = 0

  constructor(database: Database, messages: readonly SimulatedMessage[], seed: number) {
    this.#database = database
    this.#messages = messages
    this.#random = seededRandom(seed)
  }

  async run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) await this.#round()
    // Finally record all accepted messages and let every deadline pass.
    await this.#intake(
      this.#messages.filter(({ model }) => model.step === 0),
      false,
    )
    for (let open = this.#open(); open.length > 0; open = this.#open()) await this.#expire(open, false)
    for (const message of this.#messages) message.toSettle.push(...message.receiptsToCome.splice(0))
    await this.#settle(
      this.#messages.filter(({ toSettle }) => toSettle.length > 0),
      false,
      1,
    )
  }

  #open(): SimulatedMessage[] {
    return this.#messages.filter(({ model }) => model.running)
  }

  async #round(): Promise<void> {
    const turns = { intake: [], dispatch: [], settle: [], expire: [] } as Record<string, SimulatedMessage[]>
    for (const message of this.#messages) {
      const { model } = message
      // A receipt can arrive before the response to its submission is recorded.
      if (message.receiptsToCome.length > 0 && message.decide(0.6)) {
        message.toSettle.push(
          ...message.receiptsToCome.splice(Math.floor(message.random() * message.receiptsToCome.length), 1),
        )
      }
      // The sweep releases steps of a crashed process, and the broker redelivers jobs.
      const idle = model.running && model.state === 'unclaimed' && !message.toRoute.includes(model.step)
      if (idle && message.decide(0.5)) message.toRoute.push(model.step)
      if (model.step > 0 && message.decide(0.05))
        message.toRoute.push(1 + Math.floor(message.random() * model.step))
      if (message.decide(0.02)) message.toIntake = true
      if (model.step > 0 && message.decide(0.03))
        message.toSettle.push(message.createUnsubmittedDelivery(model.step))
      if (message.toIntake && message.decide(0.7)) turns.intake!.push(message)
      else if (message.toSettle.length > 0 && message.decide(0.6)) turns.settle!.push(message)
      else if (message.toRoute.length > 0 && message.decide(0.8)) turns.dispatch!.push(message)
      else if (model.running && message.decide(0.12)) turns.expire!.push(message)
    }
    await this.#intake(turns.intake!, this.#random() < 0.3)
    await this.#dispatch(turns.dispatch!, this.#random() < 0.2)
    await this.#settle(turns.settle!, this.#random() < 0.3)
    await this.#expire(turns.expire!, this.#random() < 0.3)
  }

  /**
   * Runs the work in a process that can crash. Returns its value, whether it committed, and the number of
   * statements before a crash.
   */
  async #attempt<T>(
    mayCrash: boolean,
    work: (database: Database) => Promise<T>,
  ): Promise<{ value: T | undefined; committed: boolean; statements: number }> {
    if (!mayCrash) return { value: await work(this.#database), committed: true, statements: Infinity }
    const statements = Math.floor(this.#random() * 12)
    const fault = crashAfter(this.#database, statements)
    try {
      return { value: await work(fault.database), committed: true, statements: Infinity }
    } catch (error) {
      if (!(error instanceof Crash)) throw error
      this.crashes++
      return { value: undefined, committed: fault.committed, statements }
    }
  }

  async #intake(messages: readonly SimulatedMessage[], mayCrash: boolean): Promise<void> {
    if (messages.length === 0) return
    const jobs = messages.map(({ accepted }) => accepted)
    const { value, committed } = await this.#attempt(mayCrash, (database) =>
      recordMessages(database, jobs, inAnHour),
    )
    for (const message of messages) {
      const { model, msgKey } = message
      if (value !== undefined) {
        const waits = model.running && model.step === 1 && model.state === 'unclaimed'
        assert.equal(value.fresh.has(msgKey), model.step === 0)
        assert.equal(value.unclaimed.has(msgKey), waits, message.history.join('\n'))
        // A crash before the release repeats the delivery.
        if (message.decide(0.85)) {
          message.toIntake = false
          if (model.step === 0 || waits) message.toRoute.push(1)
        }
      }
      if (committed) model.record()
      message.note(`intake${value === undefined ? ', died' : ''}${committed ? '' : ', undone'}`)
    }
    await compare(this.#database, new Map(messages.map((message) => [message, nothing])))
  }

  async #dispatch(messages: readonly SimulatedMessage[], mayCrash: boolean): Promise<void> {
    if (messages.length === 0) return
    const chosen = messages.map((message) => ({
      message,
      step: message.toRoute[Math.floor(message.random() * message.toRoute.length)]!,
    }))
    const claims = chosen.map(({ message, step }) => createClaim({ msgKey: message.msgKey, step, try: 1 }))
    const first = await this.#attempt(mayCrash, (database) => claimSteps(database, claims))
    let { value: results, statements } = first
    if (this.#random() < 0.4) {
      // Only the reply was lost, so the process repeats the statement.
      this.lostReplies++
      results = await claimSteps(this.#database, claims)
      statements = Infinity
    }
    // Repeat returns with a lost reply after other processes have claimed the steps.
    const repeated = this.#returned.splice(0)
    await returnClaims(
      this.#database,
      repeated.map(({ claim }) => claim),
    )
    const rows: AttemptRow[] = []
    const acknowledged: (() => void)[] = []
    const unusedClaims: StepClaim[] = []
    chosen.forEach(({ message, step }, n) => {
      const claim = claims[n]!
      const crashedBeforeClaim = results === undefined && statements === 0
      const expected = crashedBeforeClaim ? 'none' : message.model.claim(step, claim.token)
      message.note(`dispatch of step ${step}: ${expected}${results === undefined ? ', died' : ''}`)
      if (results === undefined) return
      assert.equal(results[n], expected, message.history.join('\n'))
      const done = (): void => void message.toRoute.splice(message.toRoute.indexOf(step), 1)
      if (expected === 'stale') return done()
      if (expected === 'answered') return void acknowledged.push(done)
      if (expected === 'unanswered') {
        rows.push(...message.createInterruptedAttempts(step))
        return done()
      }
      if (message.decide(0.1)) return message.note('died before the submission')
      if (message.decide(0.1)) {
        message.note('unreachable: the claim is returned')
        message.model.unclaim(step, claim.token)
        this.#returned.push({ message, claim })
        return void unusedClaims.push(claim)
      }
      const responses = message.submit(step)
      if (message.decide(0.1)) return message.note('died before the answer was recorded')
      rows.push(...responses)
      message.note(`answers ${responses.map(({ outcome }) => outcome).join()}`)
      if (!responses.some(({ outcome }) => outcome === 'refused')) return done()
      if (message.decide(0.15)) return message.note('died before the refusal was handed on')
      message.toSettle.push(message.createRejectedDelivery(step))
      done()
    })
    if (unusedClaims.length > 0) await returnClaims(this.#database, unusedClaims)
    if (rows.length > 0) await recordAttempts(this.#database, rows)
    await this.#publishRefusalsAgain(chosen.filter((_, n) => results?.[n] === 'answered'))
    for (const done of acknowledged) done()
    for (const { message, step } of chosen) {
      const ofMessage = rows.filter((row) => row.msgKey === message.msgKey)
      if (ofMessage.length > 0)
        message.model.answer(
          step,
          ofMessage.map(({ outcome, carrierId }) => ({ outcome, id: carrierId === '' ? null : carrierId })),
        )
    }
    const touched = [...messages, ...repeated.map(({ message }) => message)]
    await compare(this.#database, new Map(touched.map((message) => [message, nothing])))
  }

  async #publishRefusalsAgain(
    chosen: readonly { readonly message: SimulatedMessage; readonly step: number }[],
  ): Promise<void> {
    if (chosen.length === 0) return
    const refusals = await findRefusals(
      this.#database,
      chosen.map(({ message, step }) => ({ msgKey: message.msgKey, step, try: 1 })),
    )
    const refused = new Set(refusals.map(({ msgKey }) => msgKey))
    for (const { message, step } of chosen) {
      if (refused.has(message.msgKey)) message.toSettle.push(message.createRejectedDelivery(step))
    }
  }

  async #settle(messages: readonly SimulatedMessage[], mayCrash: boolean, probability = 0.7): Promise<void> {
    if (messages.length === 0) return
    const deliveries: { message: SimulatedMessage; delivery: PendingDelivery; byRecipient: boolean }[] = []
    for (const message of messages) {
      const some = message.toSettle.filter(() => message.decide(probability))
      for (const delivery of some)
        deliveries.push({ message, delivery, byRecipient: probability === 1 || message.decide(0.4) })
    }
    if (deliveries.length === 0) return
    // Copy the jobs: two deliveries of one receipt are two objects. A receipt arrives after its submission.
    const items = deliveries.map(({ delivery: { job }, byRecipient }) => ({
      job: job.kind === 'receipt' ? { ...job, receivedAt: Date.now() } : { ...job },
      isStored: byRecipient,
    }))
    const { value, committed } = await this.#attempt(mayCrash, (database) =>
      this.#settleItems(database, items),
    )
    const ends = new Map<SimulatedMessage, ReadonlySet<Cause>>()
    for (const message of new Set(deliveries.map((delivery) => delivery.message))) {
      const ofMessage = deliveries.flatMap((entry, n) => (entry.message === message ? [{ ...entry, n }] : []))
      message.note(
        `settle ${ofMessage.map(({ delivery: { job, step, id }, byRecipient }) => `${step} ${id} ${job.cause}${byRecipient ? '?' : ''}`).join(' + ')}${committed ? '' : ', undone'}`,
      )
      if (!committed) continue
      const heard = ofMessage.flatMap(
        ({ delivery: { job, id, step }, byRecipient, n }): (StepEvidence & { n: number })[] =>
          job.kind === 'receipt'
            ? [{ id, step, cause: job.cause, byRecipient, isForeign: job.routeId === foreignRoute, n }]
            : [],
      )
      const verdicts = ofMessage.flatMap(({ delivery: { job } }): StepDecision[] =>
        job.kind === 'verdict' ? [job] : [],
      )
      const expected = message.model.settle(heard, verdicts)
      ends.set(message, expected.ends)
      if (value !== undefined) {
        const results = heard.map(({ n }) => value.results[n])
        assert.deepEqual(results, expected.results, message.history.join('\n'))
      }
      const unmatched = new Set(
        heard.filter((_, index) => expected.results[index] === 'unmatched').map(({ n }) => n),
      )
      for (const { delivery, n } of ofMessage) {
        delivery.tries++
        const again = unmatched.has(n) ? delivery.tries < 8 : value === undefined || message.decide(0.15)
        if (!again || delivery.tries > 12) message.toSettle.splice(message.toSettle.indexOf(delivery), 1)
      }
    }
    await compare(this.#database, ends)
  }

  #settleItems(database: Database, items: Parameters<typeof settleBatch>[1]): Promise<SettledBatch> {
    // The sweep of a later round releases advanced steps.
    const release = (): Promise<void> => Promise.resolve()
    const no = (): boolean => false
    const outbox = {
      stepTtlSeconds,
      release,
      hasOtherRoute: no,
      hasStranded: no,
      releaseStranded: release,
      canPublish: true,
    }
    return settleBatch({ database, metrics, outbox }, items, testScope(routes))
  }

  async #expire(messages: readonly SimulatedMessage[], mayCrash: boolean): Promise<void> {
    if (messages.length === 0) return
    const keys = messages.map(({ msgKey }) => msgKey)
    const { committed } = await this.#attempt(mayCrash, (database) =>
      inTransaction(database, async (transaction) => {
        const past = new Date(Date.now() - 1_000)
        await transaction.query('update in_flight set due_at = $2 where msg_key = any($1)', [keys, past])
        const expired = await claimExpired(transaction, new Date(), keys.length + 1)
        assert.equal(expired.length, keys.length)
        await endSteps(transaction, expired, stepTtlSeconds)
      }),
    )
    const ends = new Map<SimulatedMessage, ReadonlySet<Cause>>()
    for (const message of messages) {
      message.note(`deadline${committed ? '' : ', undone'}`)
      ends.set(message, committed ? message.model.findExpiryCauses() : nothing)
    }
    await compare(this.#database, ends)
  }
}
