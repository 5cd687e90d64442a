/**
 * Creates submissions for connector tests as production does: the API checks the body, the trust rules check
 * the form of the sender, and dispatch converts the step. A rejected body throws its Problem. Files are not
 * looked up.
 */
import type { ChannelName, Draft } from '../../src/channels/channel.ts'
import { requireValid } from '../../src/channels/issues.ts'
import type { Submission } from '../../src/carriers/connectors/connector.ts'
import { isFileKey } from '../../src/contract/file-key.ts'
import { parseFileReference } from '../../src/records/files/references.ts'
import { draftOmni } from '../../src/pipeline/accept/omni.ts'
import { readSimple, simplePath } from '../../src/pipeline/accept/send.ts'
import { StepSubmission, toParts } from '../../src/pipeline/dispatch/step/submission.ts'
import { defaultAccountTrust } from '../../src/trust/accounts.ts'
import { createSenders } from '../../src/trust/senders/senders.ts'
import { acceptedJob, routeJob } from './fixtures.ts'

const senders = createSenders({})
const publicFileUrl = 'https://files.example.com/'

/** Accepts a body of `POST /v1/send/<channel>`. */
export function acceptedSend(
  channel: ChannelName,
  body: object,
  overrides: Partial<Submission> = {},
): Submission {
  return toSubmission(
    requireValid((issues) => readSimple(channel, body, {}, issues)),
    overrides,
  )
}

/** Accepts a flow of one entry. */
export function acceptedEntry(
  channel: ChannelName,
  to: string,
  entry: object,
  overrides: Partial<Submission> = {},
): Submission {
  const [drafted] = draftOmni({ messageFlow: [{ [channel]: entry }], destinations: [{ to }] })
  if ('problem' in drafted!) throw drafted.problem
  return toSubmission(drafted!.draft, overrides)
}

/** Throws unless every file of the submission has the form of an upload key or belongs to the carrier. */
export function requireFileKeys({ files }: Submission): void {
  for (const { key, use } of files) {
    const reference = parseFileReference(use, publicFileUrl, key)
    if (reference !== 'carrier' && (reference === 'malformed' || !isFileKey(reference.key)))
      throw new Error(`${key} is not a file key`)
  }
}

function toSubmission(draft: Draft, overrides: Partial<Submission>): Submission {
  requireValid((issues) => {
    const rules = new Set(['sender-number-shape'] as const)
    const accountContext = { accountId: 1, account: defaultAccountTrust, rules, now: Date.now() }
    senders.checkDraft!(accountContext, { draft, getPath: simplePath, issues })
    return null
  })
  const job = routeJob(acceptedJob(draft))
  const stepSubmission = new StepSubmission(job, toParts(job, 'message')[0]!)
  return {
    reference: stepSubmission.reference,
    from: stepSubmission.from,
    to: stepSubmission.to,
    part: stepSubmission.part,
    message: stepSubmission.message,
    given: stepSubmission.given,
    originCid: stepSubmission.originCid,
    isAdvertisement: stepSubmission.isAdvertisement,
    files: stepSubmission.files,
    validUntil: stepSubmission.validUntil,
    ttlSeconds: stepSubmission.ttlSeconds,
    ...overrides,
  }
}
