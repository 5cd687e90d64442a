import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { waitFor } from '../../support/wait.ts'
import type { CheckName, ConformanceOptions } from './peer.ts'
import {
  nextSubmission,
  openConformanceTestBed,
  withOutcomeTimeout,
  type ConformanceTestBed,
} from './test-bed.ts'

/**
 * Runs the conformance suite, which every connector kind must pass, against a carrier controlled by the test.
 * Connectors are created by the registry like in dispatch, so limits, secrets and option checks are included.
 */
export function runConnectorConformance(given: ConformanceOptions): void {
  const { kind, without = {} } = given

  const check = (
    name: CheckName,
    title: string,
    body: (stage: ConformanceTestBed) => Promise<void>,
  ): void => {
    if (without[name] === undefined)
      test(`${name}: ${title}`, async (t) => body(await openConformanceTestBed(given, t)))
  }

  suite(`${kind} conforms`, () => {
    check('accepted', 'the carrier receives the submission once, for its recipient', async (stage) => {
      const outcome = await stage.submit()
      assert.equal(outcome.kind, 'accepted')
      assert.equal(stage.peer.received.length, 1)
      assert.ok(sameNumber(stage.peer.received[0]!.to, nextSubmission(given).to))
    })

    check('throttled', 'the outcome has a code, and a later message is accepted', async (stage) => {
      stage.peer.setBehaviour('throttle')
      const outcome = await stage.submit()
      assert.ok(outcome.kind === 'throttled')
      assert.ok(outcome.code !== '' && outcome.retryAfterMs >= 0)
      stage.peer.setBehaviour('accept')
      assert.equal((await stage.submit()).kind, 'accepted')
    })

    check('refused', 'the outcome has a cause and the code of the carrier', async (stage) => {
      stage.peer.setBehaviour('refuse')
      const outcome = await stage.submit()
      assert.ok(outcome.kind === 'refused')
      assert.ok(outcome.code !== '' && outcome.cause !== 'delivered')
    })

    check(
      'temporary failure',
      'the outcome is unreachable, and a later message is accepted',
      async (stage) => {
        stage.peer.setBehaviour('fail')
        assert.equal((await stage.submit()).kind, 'unreachable')
        stage.peer.setBehaviour('accept')
        await stage.submitUntilAccepted()
      },
    )

    check('unreachable', 'nothing is submitted while the carrier refuses connections', async (stage) => {
      await stage.peer.refuseConnections()
      const before = stage.peer.received.length
      await waitFor('the loss to be noticed', async () => (await stage.submit()).kind === 'unreachable')
      assert.equal(stage.peer.received.length, before)
      await stage.peer.resume()
      await stage.submitUntilAccepted()
    })

    check('no answer', 'the outcome is unknown in time, and nothing is resubmitted', async (stage) => {
      stage.peer.setBehaviour('silent')
      assert.equal((await stage.submit()).kind, 'unknown')
      assert.equal(stage.peer.received.length, 1)
    })

    check(
      'connection lost',
      'the outcome of a sent submission is unknown, and the link returns',
      async (stage) => {
        stage.peer.setBehaviour('hang-up')
        assert.equal((await stage.submit()).kind, 'unknown')
        assert.equal(stage.peer.received.length, 1)
        stage.peer.setBehaviour('accept')
        await stage.submitUntilAccepted()
      },
    )

    check(
      'half-open connection',
      'a carrier that stops reading does not delay outcomes for long',
      async (stage) => {
        await stage.submitUntilAccepted()
        stage.peer.freeze()
        const outcome = await stage.submit()
        assert.ok(outcome.kind === 'unknown' || outcome.kind === 'unreachable', outcome.kind)
        await stage.peer.resume()
        await stage.submitUntilAccepted()
      },
    )

    check('window', 'submissions beyond the window are accepted or unreachable', async (stage) => {
      const count = stage.connector.window + 5
      const outcomes = await withOutcomeTimeout(
        Promise.all(
          Array.from({ length: Math.min(count, 200) }, () => stage.connector.submit(nextSubmission(given))),
        ),
      )
      const accepted = outcomes.filter(({ kind: outcome }) => outcome === 'accepted').length
      assert.equal(stage.peer.received.length, accepted)
      assert.ok(outcomes.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
    })

    check(
      'receipt',
      'a receipt identifies its submission and is acknowledged after it is stored',
      async (stage) => {
        const outcome = await stage.submit()
        const [sent] = stage.peer.received
        const stored = Promise.withResolvers<undefined>()
        stage.setReceiptStore(() => stored.promise.then(() => undefined))
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
        assert.ok(
          byId || receipt!.reference !== undefined,
          'the receipt has the carrier’s id or our reference',
        )
      },
    )

    check(
      'receipt that cannot be stored',
      'the receipt is not acknowledged and arrives when it is sent again',
      async (stage) => {
        await stage.submit()
        stage.setReceiptStore(() => Promise.reject(new Error('the broker is unavailable')))
        assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), false)
        stage.setReceiptStore(() => Promise.resolve())
        assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
        assert.ok(stage.record.receipts.length >= 2)
      },
    )

    check('early receipt', 'a receipt is passed on before the response to its submission', async (stage) => {
      stage.peer.setBehaviour('silent')
      const open = stage.submit()
      await waitFor('the submission', () => stage.peer.received.length === 1)
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'failed'), true)
      assert.equal(stage.record.receipts[0]!.result, 'failed')
      assert.notEqual(stage.record.receipts[0]!.cause, 'delivered')
      await open
    })

    check('late receipt', 'a link opened after the submission passes the receipt on', async (stage) => {
      await stage.submit()
      await stage.peer.refuseConnections()
      await stage.peer.resume()
      await stage.submitUntilAccepted()
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
      assert.equal(stage.record.receipts.length, 1)
    })

    check(
      'duplicated receipt',
      'each copy is acknowledged and identifies the same submission',
      async (stage) => {
        await stage.submit()
        for (let copy = 0; copy < 3; copy++)
          assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'delivered'), true)
        assert.equal(new Set(stage.record.receipts.map((one) => `${one.carrierId} ${one.reference}`)).size, 1)
      },
    )

    check('intermediate notice', 'an intermediate notice does not end a message', async (stage) => {
      await stage.submit()
      assert.equal(await stage.peer.sendReceipt(stage.peer.received[0]!, 'pending'), true)
      assert.ok(stage.record.receipts.every(({ result }) => result === 'pending'))
    })

    check('drain', 'a stop waits for open submissions and submits nothing more', async (stage) => {
      const open = Array.from({ length: 5 }, () => stage.submit())
      const stopped = withOutcomeTimeout(stage.connector.stop())
      const outcomes = await Promise.all(open)
      await stopped
      // Unsent submissions return to dispatch; sent ones have a response.
      assert.ok(outcomes.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
      const before = stage.peer.received.length
      assert.equal((await stage.submit()).kind, 'unreachable')
      assert.equal(stage.peer.received.length, before)
      assert.equal(stage.connector.linked, false)
    })

    check(
      'stop while frozen',
      'a stop ends in time, and every open submission has an outcome',
      async (stage) => {
        stage.peer.freeze()
        const open = Array.from({ length: 3 }, () => stage.submit())
        await withOutcomeTimeout(stage.connector.stop(200))
        for (const outcome of await Promise.all(open)) assert.notEqual(outcome.kind, 'accepted')
        await stage.peer.resume()
      },
    )

    check(
      'rotated credentials',
      'the next link uses the new credentials, and no message is refused',
      async (stage) => {
        const options = stage.peer.rotateCredentials()
        const outcome = await stage.submit()
        // The old link may stay up or have to log in again, but the message must not be refused.
        assert.notEqual(outcome.kind, 'refused')
        await stage.connector.stop()
        const renewed = stage.openConnector(options)
        await waitFor(
          'an acceptance',
          async () => (await withOutcomeTimeout(renewed.submit(nextSubmission(given)))).kind === 'accepted',
        )
      },
    )

    check(
      'hostile answers',
      'each ends in an outcome of limited size, and a later message is accepted',
      async (stage) => {
        for (const [name, arrange] of Object.entries(stage.peer.hostileResponses)) {
          arrange()
          const outcome = await stage.submit()
          assert.notEqual(outcome.kind, undefined, name)
          assert.ok(JSON.stringify(outcome).length < 1_000, `${name}: outcome too long`)
          stage.peer.setBehaviour('accept')
          await stage.submitUntilAccepted()
        }
      },
    )
  })
}

const sameNumber = (left: string, right: string): boolean =>
  left.replaceAll(/\D/g, '').slice(-8) === right.replaceAll(/\D/g, '').slice(-8)

const sameId = (left: string | null, right: string): boolean =>
  left !== null && left.trim().toLowerCase() === right.trim().toLowerCase()
