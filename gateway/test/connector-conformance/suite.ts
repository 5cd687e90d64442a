/**
 * The conformance suite of connectors: every kind passes it, given a carrier that the suite can command. It goes through
 * the registry, as dispatch does, so that bounds, secrets and option checks are part of it.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { waitFor } from '../support/wait.ts'
import type { Check, Conformance } from './peer.ts'
import { nextSubmission, openStage, within, type Stage } from './stage.ts'

export function connectorConformance(given: Conformance): void {
  const { kind, without = {} } = given

  const check = (name: Check, title: string, body: (stage: Stage) => Promise<void>): void => {
    if (without[name] === undefined) test(`${name}: ${title}`, async (t) => body(await openStage(given, t)))
  }

  suite(`${kind} conforms`, () => {
    check('accepted', 'the carrier gets the submission once, and its id is in the outcome', async (stage) => {
      const outcome = await stage.submit()
      assert.equal(outcome.kind, 'accepted')
      assert.equal(stage.peer.received.length, 1)
      assert.ok(sameNumber(stage.peer.received[0]!.to, nextSubmission(given).to))
    })

    check('throttled', 'the route is slowed down, and the message may be submitted again', async (stage) => {
      stage.peer.behave('throttle')
      const outcome = await stage.submit()
      assert.ok(outcome.kind === 'throttled')
      assert.ok(outcome.code !== '' && outcome.retryAfterMs >= 0)
      stage.peer.behave('accept')
      assert.equal((await stage.submit()).kind, 'accepted')
    })

    check('refused', 'the refusal has a cause and the carrier’s code', async (stage) => {
      stage.peer.behave('refuse')
      const outcome = await stage.submit()
      assert.ok(outcome.kind === 'refused')
      assert.ok(outcome.code !== '' && outcome.cause !== 'delivered')
    })

    check('temporary failure', 'it was certainly not accepted, and the link goes on', async (stage) => {
      stage.peer.behave('fail')
      assert.equal((await stage.submit()).kind, 'unreachable')
      stage.peer.behave('accept')
      await stage.accepts()
    })

    check(
      'unreachable',
      'a carrier that refuses connections gets nothing, and later gets the next',
      async (stage) => {
        await stage.peer.refuseConnections()
        const before = stage.peer.received.length
        await waitFor('the loss to be noticed', async () => (await stage.submit()).kind === 'unreachable')
        assert.equal(stage.peer.received.length, before)
        await stage.peer.resume()
        await stage.accepts()
      },
    )

    check(
      'no answer',
      'the outcome is unknown, in time, and the connector does not repeat',
      async (stage) => {
        stage.peer.behave('silent')
        assert.equal((await stage.submit()).kind, 'unknown')
        assert.equal(stage.peer.received.length, 1)
      },
    )

    check(
      'connection lost',
      'after the submission was sent: unknown, not repeated, and the link returns',
      async (stage) => {
        stage.peer.behave('hang-up')
        assert.equal((await stage.submit()).kind, 'unknown')
        assert.equal(stage.peer.received.length, 1)
        stage.peer.behave('accept')
        await stage.accepts()
      },
    )

    check(
      'half-open connection',
      'a carrier that reads nothing any more delays no outcome for long',
      async (stage) => {
        await stage.accepts()
        stage.peer.freeze()
        const outcome = await stage.submit()
        assert.ok(outcome.kind === 'unknown' || outcome.kind === 'unreachable', outcome.kind)
        await stage.peer.resume()
        await stage.accepts()
      },
    )

    check(
      'window',
      'more submissions than the window end in an outcome each, and none is lost',
      async (stage) => {
        const count = stage.connector.window + 5
        const all = await within(
          Promise.all(
            Array.from({ length: Math.min(count, 200) }, () => stage.connector.submit(nextSubmission(given))),
          ),
        )
        const accepted = all.filter(({ kind: outcome }) => outcome === 'accepted').length
        assert.equal(stage.peer.received.length, accepted)
        assert.ok(all.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
      },
    )

    check(
      'receipt',
      'it names the submission, and is acknowledged only after it is stored',
      async (stage) => {
        const outcome = await stage.submit()
        const [sent] = stage.peer.received
        const stored = Promise.withResolvers<undefined>()
        stage.storeBy(() => stored.promise.then(() => undefined))
        let acknowledged = false
        const sending = stage.peer.sendReceipt(sent!, 'delivered').then((answer) => (acknowledged = answer))
        await waitFor('the receipt', () => stage.record.receipts.length === 1)
        assert.equal(acknowledged, false)
        stored.resolve(undefined)
        await sending
        assert.equal(acknowledged, true)
        const [receipt] = stage.record.receipts
        assert.equal(receipt!.result, 'delivered')
        assert.equal(receipt!.cause, 'delivered')
        const byId = outcome.kind === 'accepted' && sameId(receipt!.carrierId, outcome.carrierId)
        assert.ok(byId || receipt!.reference !== undefined, 'it has the carrier’s id or our reference')
      },
    )

    check(
      'receipt that cannot be stored',
      'it is not acknowledged, and arrives when it is sent again',
      async (stage) => {
        await stage.submit()
        stage.storeBy(() => Promise.reject(new Error('the broker is unavailable')))
        assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), false)
        stage.storeBy(() => Promise.resolve())
        assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
        assert.ok(stage.record.receipts.length >= 2)
      },
    )

    check('early receipt', 'it is passed on before the submission is answered', async (stage) => {
      stage.peer.behave('silent')
      const open = stage.submit()
      await waitFor('the submission', () => stage.peer.received.length === 1)
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'failed'), true)
      assert.equal(stage.record.receipts[0]!.result, 'failed')
      assert.notEqual(stage.record.receipts[0]!.cause, 'delivered')
      await open
    })

    check('late receipt', 'it is passed on by a link that was opened after the submission', async (stage) => {
      await stage.submit()
      await stage.peer.refuseConnections()
      await stage.peer.resume()
      await stage.accepts()
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
      assert.equal(stage.record.receipts.length, 1)
    })

    check(
      'duplicated receipt',
      'each copy is passed on and acknowledged: settle counts them once',
      async (stage) => {
        await stage.submit()
        for (let copy = 0; copy < 3; copy++)
          assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
        assert.equal(new Set(stage.record.receipts.map((one) => `${one.carrierId} ${one.reference}`)).size, 1)
      },
    )

    check('intermediate notice', 'it never ends a message', async (stage) => {
      await stage.submit()
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'pending'), true)
      assert.ok(stage.record.receipts.every(({ result }) => result === 'pending'))
    })

    check('drain', 'a stop waits for open submissions, then submits nothing more', async (stage) => {
      const open = Array.from({ length: 5 }, () => stage.submit())
      const stopped = within(stage.connector.stop())
      const outcomes = await Promise.all(open)
      await stopped
      // One that was not sent yet returns to dispatch; one that was sent is answered.
      assert.ok(outcomes.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
      const before = stage.peer.received.length
      assert.equal((await stage.submit()).kind, 'unreachable')
      assert.equal(stage.peer.received.length, before)
      assert.equal(stage.connector.linked, false)
    })

    check('stop while frozen', 'it ends in time, and every open submission has an outcome', async (stage) => {
      stage.peer.freeze()
      const open = Array.from({ length: 3 }, () => stage.submit())
      await within(stage.connector.stop(200))
      for (const outcome of await Promise.all(open)) assert.notEqual(outcome.kind, 'accepted')
      await stage.peer.resume()
    })

    check(
      'rotated credentials',
      'the new ones are used by the next link; nothing is refused for good',
      async (stage) => {
        const options = stage.peer.rotate()
        const outcome = await stage.submit()
        // The old link may go on, or be told to log in again: that is a fault of the route, not of the message.
        assert.notEqual(outcome.kind, 'refused')
        await stage.connector.stop()
        const renewed = stage.open(options)
        await waitFor(
          'an acceptance',
          async () => (await within(renewed.submit(nextSubmission(given)))).kind === 'accepted',
        )
      },
    )

    check('hostile answers', 'each ends in an outcome within bounds, and the link goes on', async (stage) => {
      for (const [what, arrange] of Object.entries(stage.peer.hostileAnswers)) {
        arrange()
        const outcome = await stage.submit()
        assert.notEqual(outcome.kind, undefined, what)
        assert.ok(JSON.stringify(outcome).length < 1_000, `${what} is bounded`)
        stage.peer.behave('accept')
        await stage.accepts()
      }
    })
  })
}

const sameNumber = (left: string, right: string): boolean =>
  left.replaceAll(/\D/g, '').slice(-8) === right.replaceAll(/\D/g, '').slice(-8)

const sameId = (left: string | null, right: string): boolean =>
  left !== null && left.trim().toLowerCase() === right.trim().toLowerCase()
