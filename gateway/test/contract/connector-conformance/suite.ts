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
    body: (testBed: ConformanceTestBed) => Promise<void>,
  ): void => {
    if (without[name] === undefined)
      test(`${name}: ${title}`, async (t) => body(await openConformanceTestBed(given, t)))
  }

  suite(`${kind} conforms`, () => {
    check('accepted', 'the carrier receives the submission once, for its recipient', async (testBed) => {
      const outcome = await testBed.submit()
      assert.equal(outcome.kind, 'accepted')
      assert.equal(testBed.peer.received.length, 1)
      assert.ok(sameNumber(testBed.peer.received[0]!.to, nextSubmission(given).to))
    })

    check('throttled', 'the outcome has a code, and a later message is accepted', async (testBed) => {
      testBed.peer.setBehaviour('throttle')
      const outcome = await testBed.submit()
      assert.ok(outcome.kind === 'throttled')
      assert.ok(outcome.code !== '' && outcome.retryAfterMs >= 0)
      testBed.peer.setBehaviour('accept')
      assert.equal((await testBed.submit()).kind, 'accepted')
    })

    check('refused', 'the outcome has a cause and the code of the carrier', async (testBed) => {
      testBed.peer.setBehaviour('refuse')
      const outcome = await testBed.submit()
      assert.ok(outcome.kind === 'refused')
      assert.ok(outcome.code !== '' && outcome.cause !== 'delivered')
    })

    check(
      'temporary failure',
      'the outcome is unreachable, and a later message is accepted',
      async (testBed) => {
        testBed.peer.setBehaviour('fail')
        assert.equal((await testBed.submit()).kind, 'unreachable')
        testBed.peer.setBehaviour('accept')
        await testBed.submitUntilAccepted()
      },
    )

    check('unreachable', 'nothing is submitted while the carrier refuses connections', async (testBed) => {
      await testBed.peer.refuseConnections()
      const before = testBed.peer.received.length
      await waitFor('the loss to be noticed', async () => (await testBed.submit()).kind === 'unreachable')
      assert.equal(testBed.peer.received.length, before)
      await testBed.peer.resume()
      await testBed.submitUntilAccepted()
    })

    check('no answer', 'the outcome is unknown in time, and nothing is resubmitted', async (testBed) => {
      testBed.peer.setBehaviour('silent')
      assert.equal((await testBed.submit()).kind, 'unknown')
      assert.equal(testBed.peer.received.length, 1)
    })

    check(
      'connection lost',
      'the outcome of a sent submission is unknown, and the link returns',
      async (testBed) => {
        testBed.peer.setBehaviour('hang-up')
        assert.equal((await testBed.submit()).kind, 'unknown')
        assert.equal(testBed.peer.received.length, 1)
        testBed.peer.setBehaviour('accept')
        await testBed.submitUntilAccepted()
      },
    )

    check(
      'half-open connection',
      'a carrier that stops reading does not delay outcomes for long',
      async (testBed) => {
        await testBed.submitUntilAccepted()
        testBed.peer.freeze()
        const outcome = await testBed.submit()
        assert.ok(outcome.kind === 'unknown' || outcome.kind === 'unreachable', outcome.kind)
        await testBed.peer.resume()
        await testBed.submitUntilAccepted()
      },
    )

    check('window', 'submissions beyond the window are accepted or unreachable', async (testBed) => {
      const count = testBed.connector.window + 5
      const outcomes = await withOutcomeTimeout(
        Promise.all(
          Array.from({ length: Math.min(count, 200) }, () => testBed.connector.submit(nextSubmission(given))),
        ),
      )
      const accepted = outcomes.filter(({ kind: outcome }) => outcome === 'accepted').length
      assert.equal(testBed.peer.received.length, accepted)
      assert.ok(outcomes.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
    })

    check(
      'receipt',
      'a receipt identifies its submission and is acknowledged after it is stored',
      async (testBed) => {
        const outcome = await testBed.submit()
        const [sent] = testBed.peer.received
        const stored = Promise.withResolvers<undefined>()
        testBed.setReceiptStore(() => stored.promise.then(() => undefined))
        let acknowledged = false
        const sending = testBed.peer.sendReceipt(sent!, 'delivered').then((result) => (acknowledged = result))
        await waitFor('the receipt', () => testBed.record.receipts.length === 1)
        assert.equal(acknowledged, false)
        stored.resolve(undefined)
        await sending
        assert.equal(acknowledged, true)
        const [receipt] = testBed.record.receipts
        assert.equal(receipt!.result, 'delivered')
        assert.equal(receipt!.cause, 'delivered')
        const byId = outcome.kind === 'accepted' && sameId(receipt!.carrierId, outcome.carrierId)
        assert.ok(
          byId || receipt!.reference !== undefined,
          'the receipt has neither the carrier’s ID nor our reference',
        )
      },
    )

    check(
      'receipt that cannot be stored',
      'the receipt is not acknowledged and arrives when it is sent again',
      async (testBed) => {
        await testBed.submit()
        testBed.setReceiptStore(() => Promise.reject(new Error('the broker is unavailable')))
        assert.equal(await testBed.peer.sendReceipt(testBed.peer.received[0]!, 'delivered'), false)
        testBed.setReceiptStore(() => Promise.resolve())
        assert.equal(await testBed.peer.sendReceipt(testBed.peer.received[0]!, 'delivered'), true)
        assert.ok(testBed.record.receipts.length >= 2)
      },
    )

    check(
      'early receipt',
      'a receipt is passed on before the response to its submission',
      async (testBed) => {
        testBed.peer.setBehaviour('silent')
        const open = testBed.submit()
        await waitFor('the submission', () => testBed.peer.received.length === 1)
        assert.equal(await testBed.peer.sendReceipt(testBed.peer.received[0]!, 'failed'), true)
        assert.equal(testBed.record.receipts[0]!.result, 'failed')
        assert.notEqual(testBed.record.receipts[0]!.cause, 'delivered')
        await open
      },
    )

    check('late receipt', 'a link opened after the submission passes the receipt on', async (testBed) => {
      await testBed.submit()
      await testBed.peer.refuseConnections()
      await testBed.peer.resume()
      await testBed.submitUntilAccepted()
      assert.equal(await testBed.peer.sendReceipt(testBed.peer.received[0]!, 'delivered'), true)
      assert.equal(testBed.record.receipts.length, 1)
    })

    check(
      'duplicated receipt',
      'each copy is acknowledged and identifies the same submission',
      async (testBed) => {
        await testBed.submit()
        for (let copy = 0; copy < 3; copy++)
          assert.equal(await testBed.peer.sendReceipt(testBed.peer.received[0]!, 'delivered'), true)
        assert.equal(
          new Set(testBed.record.receipts.map((one) => `${one.carrierId} ${one.reference}`)).size,
          1,
        )
      },
    )

    check('intermediate notice', 'an intermediate notice does not end a message', async (testBed) => {
      await testBed.submit()
      assert.equal(await testBed.peer.sendReceipt(testBed.peer.received[0]!, 'pending'), true)
      assert.ok(testBed.record.receipts.every(({ result }) => result === 'pending'))
    })

    check('drain', 'a stop waits for open submissions and submits nothing more', async (testBed) => {
      const open = Array.from({ length: 5 }, () => testBed.submit())
      const stopped = withOutcomeTimeout(testBed.connector.stop())
      const outcomes = await Promise.all(open)
      await stopped
      // Unsent submissions return to dispatch; sent ones have a response.
      assert.ok(outcomes.every(({ kind: outcome }) => outcome === 'accepted' || outcome === 'unreachable'))
      const before = testBed.peer.received.length
      assert.equal((await testBed.submit()).kind, 'unreachable')
      assert.equal(testBed.peer.received.length, before)
      assert.equal(testBed.connector.linked, false)
    })

    check(
      'stop while frozen',
      'a stop ends in time, and every open submission has an outcome',
      async (testBed) => {
        testBed.peer.freeze()
        const open = Array.from({ length: 3 }, () => testBed.submit())
        await withOutcomeTimeout(testBed.connector.stop(200))
        for (const outcome of await Promise.all(open)) assert.notEqual(outcome.kind, 'accepted')
        await testBed.peer.resume()
      },
    )

    check(
      'rotated credentials',
      'the next link uses the new credentials, and no message is refused',
      async (testBed) => {
        const options = testBed.peer.rotateCredentials()
        const outcome = await testBed.submit()
        // The old link may stay up or have to log in again, but the message must not be refused.
        assert.notEqual(outcome.kind, 'refused')
        await testBed.connector.stop()
        const renewed = testBed.openConnector(options)
        await waitFor(
          'an acceptance',
          async () => (await withOutcomeTimeout(renewed.submit(nextSubmission(given)))).kind === 'accepted',
        )
      },
    )

    check(
      'hostile answers',
      'each ends in an outcome of limited size, and a later message is accepted',
      async (testBed) => {
        for (const [name, arrange] of Object.entries(testBed.peer.hostileResponses)) {
          arrange()
          const outcome = await testBed.submit()
          assert.notEqual(outcome.kind, undefined, name)
          assert.ok(JSON.stringify(outcome).length < 1_000, `${name}: outcome too long`)
          testBed.peer.setBehaviour('accept')
          await testBed.submitUntilAccepted()
        }
      },
    )
  })
}

const sameNumber = (left: string, right: string): boolean =>
  left.replaceAll(/\D/g, '').slice(-8) === right.replaceAll(/\D/g, '').slice(-8)

const sameId = (left: string | null, right: string): boolean =>
  left !== null && left.trim().toLowerCase() === right.trim().toLowerCase()
