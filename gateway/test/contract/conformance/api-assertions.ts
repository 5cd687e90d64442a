import assert from 'node:assert/strict'
import { makeJpeg } from '../../support/files/images.ts'
import type { Report } from '../../support/processes/account-client.ts'
import { waitFor } from '../../support/wait.ts'
import type { ConformanceResponse, ConformanceClient } from './api.ts'
import { getAccountClient } from './installation.ts'

export const from = '0212345678'
export const msgKeyPattern = /^\d{17}[0-9A-Z]{15}$/
/** `yyyy-MM-dd'T'HH:mm:ssXXX` */
export const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/

let numbers = 0

/** Returns a new recipient. Its last four digits select the behaviour of the carrier. */
export function nextRecipient(ending = '0001'): string {
  return `010${String(++numbers).padStart(4, '0')}${ending}`
}

/** Returns the forms in which clients write a Korean mobile number. */
export function writtenForms(domestic: string): readonly string[] {
  const national = domestic.slice(1)
  const hyphenated = national.replace(/^(\d\d)(\d{4})/, '$1-$2-')
  return [domestic, `0${hyphenated}`, `82${national}`, `+82${national}`, `+82 ${hyphenated}`]
}

export function nextForeignRecipient(ending = '0001'): string {
  return `+1415${String(++numbers).padStart(4, '0')}${ending}`
}

/** Sends a message, by default as the main account, and asserts A000. */
export async function assertAccepted(
  channel: string,
  body: object,
  as?: ConformanceClient,
): Promise<ConformanceResponse> {
  const response = await (as ?? (await getAccountClient('main'))).post(`/v1/send/${channel}`, body)
  assert.equal(response.body.code, 'A000', `rejected: ${JSON.stringify(response.body)}`)
  assert.equal(response.httpStatus, 200)
  return response
}

/** Sends as the main account and asserts an error with this code and field. */
export async function assertRejected(
  channel: string,
  body: object,
  code: string,
  field?: string,
): Promise<void> {
  const response = await (await getAccountClient('main')).post(`/v1/send/${channel}`, body)
  assertError(response, 400, code)
  if (field !== undefined) assert.ok(response.body.result.includes(`'${field}'`), response.body.result)
}

export function assertError({ httpStatus, body }: ConformanceResponse, status: number, code: string): void {
  assert.deepEqual([httpStatus, body.code], [status, code], JSON.stringify(body))
  assertErrorFields(body)
}

/** Asserts that an error has only `code`, `result` and, beyond the contract, `field`. */
export function assertErrorFields(body: object): void {
  assert.deepEqual(
    Object.keys(body).filter((key) => key !== 'field'),
    ['code', 'result'],
  )
}

/** Returns the first step of the message that a dry run describes. */
export async function dryRun(
  channel: string,
  body: object,
): Promise<{ readonly deadlineSeconds: number; readonly parts: number }> {
  const response = await (await getAccountClient('main')).post(`/v1/send/${channel}?dryRun=true`, body)
  assert.equal(response.body.code, 'A000', response.body.result)
  const { destinations } = response.body.data as unknown as {
    destinations: readonly { steps: readonly { deadlineSeconds: number; parts: number }[] }[]
  }
  return destinations[0]!.steps[0]!
}

/** Waits for the reports of a message. */
export async function waitForReports(
  msgKey: string,
  as?: ConformanceClient,
): Promise<readonly (Report & { readonly to?: string; readonly userType?: string })[]> {
  const api = as ?? (await getAccountClient('main'))
  return waitFor(
    `the report of ${msgKey}`,
    async () => {
      const { report } = (await api.get(`/v1/report/inquiry/${msgKey}`)).body.data!
      return report!.length > 0 ? report : null
    },
    { timeoutMs: 20_000, everyMs: 100 },
  )
}

/** Polls until a batch has at least `minReports` reports. */
export async function pollBatch(
  api: ConformanceClient,
  minReports = 1,
): Promise<{ reportId: string; report: readonly Report[] }> {
  return waitFor(
    'a batch of reports',
    async () => {
      const { reportId, report } = (await api.get('/v1/report/polling')).body.data!
      return report!.length >= minReports ? { reportId: reportId!, report: report! } : null
    },
    { timeoutMs: 20_000, everyMs: 100 },
  )
}

const media = new Map<string, Promise<string>>()

/** Returns the media reference of an image of this size, uploaded once as the main account. */
export function getMedia(width: number, height: number, bytes = 2_000, copy = 0): Promise<string> {
  const key = `${width}x${height}/${bytes}/${copy}`
  let uploading = media.get(key)
  if (uploading === undefined) {
    uploading = uploadMedia(width, height, bytes)
    media.set(key, uploading)
  }
  return uploading
}

async function uploadMedia(width: number, height: number, bytes: number): Promise<string> {
  const api = await getAccountClient('main')
  const { body } = await api.upload('RCS', { fileName: 'a.jpg', content: makeJpeg(width, height, bytes) })
  assert.equal(body.code, 'A000', body.result)
  return body.data!.media!
}

/** Uploads an MMS image as the main account and returns its key. */
export async function uploadMmsImage(): Promise<string> {
  const api = await getAccountClient('main')
  const { body } = await api.upload('MMS', { fileName: 'a.jpg', content: makeJpeg(640, 480, 2_000) })
  assert.equal(body.code, 'A000', body.result)
  return body.data!.fileKey!
}
