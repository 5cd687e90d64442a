/** Requests with assertions, each in one call: accepted, refused, reported, uploaded. */
import assert from 'node:assert/strict'
import { makeJpeg } from '../support/files/images.ts'
import type { Report } from '../support/processes/account-client.ts'
import { waitFor } from '../support/wait.ts'
import type { Answer, Api } from './api.ts'
import { account } from './installation.ts'

export const from = '0212345678'
export const msgKeyPattern = /^\d{17}[0-9A-Z]{15}$/
/** `yyyy-MM-dd'T'HH:mm:ssXXX` */
export const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/

let numbers = 0

/** A recipient that no other test uses, with the ending that selects the behaviour of the carrier. */
export function recipient(ending = '0001'): string {
  return `010${String(++numbers).padStart(4, '0')}${ending}`
}

export function abroad(ending = '0001'): string {
  return `+1415${String(++numbers).padStart(4, '0')}${ending}`
}

/** Sends as the main account; fails unless A000. Returns the whole answer. */
export async function accepts(channel: string, body: object, as?: Api): Promise<Answer> {
  const answer = await (as ?? (await account('main'))).post(`/v1/send/${channel}`, body)
  assert.equal(answer.body.code, 'A000', `refused: ${JSON.stringify(answer.body)}`)
  assert.equal(answer.httpStatus, 200)
  return answer
}

/** Sends as the main account; fails unless refused with this code and, if given, naming this field. */
export async function refuses(channel: string, body: object, code: string, field?: string): Promise<void> {
  const answer = await (await account('main')).post(`/v1/send/${channel}`, body)
  checkRefusal(answer, 400, code)
  if (field !== undefined) assert.ok(answer.body.result.includes(`'${field}'`), answer.body.result)
}

export function checkRefusal({ httpStatus, body }: Answer, status: number, code: string): void {
  assert.deepEqual([httpStatus, body.code], [status, code], JSON.stringify(body))
  checkErrorKeys(body)
}

/** An error has `code`, `result` and, beyond the contract, the wrong `field`. */
export function checkErrorKeys(body: object): void {
  assert.deepEqual(
    Object.keys(body).filter((key) => key !== 'field'),
    ['code', 'result'],
  )
}

/** The records of a message, when it has been closed. */
export async function reportsOf(
  msgKey: string,
  as?: Api,
): Promise<readonly (Report & { readonly userType?: string })[]> {
  const api = as ?? (await account('main'))
  return waitFor(
    `the report of ${msgKey}`,
    async () => {
      const { report } = (await api.get(`/v1/report/inquiry/${msgKey}`)).body.data!
      return report!.length > 0 ? report : null
    },
    { timeoutMs: 20_000, everyMs: 100 },
  )
}

/** Polls until there is a batch. */
export async function pollBatch(
  api: Api,
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

/** Media reference of an image of this size, uploaded once for the main account. */
export function mediaOf(width: number, height: number, bytes = 2_000, copy = 0): Promise<string> {
  const key = `${width}x${height}/${bytes}/${copy}`
  let uploading = media.get(key)
  if (uploading === undefined) {
    uploading = uploadMedia(width, height, bytes)
    media.set(key, uploading)
  }
  return uploading
}

async function uploadMedia(width: number, height: number, bytes: number): Promise<string> {
  const api = await account('main')
  const { body } = await api.upload('RCS', { fileName: 'a.jpg', content: makeJpeg(width, height, bytes) })
  assert.equal(body.code, 'A000', body.result)
  return body.data!.media!
}

/** Key of an uploaded MMS image of the main account. */
export async function mmsFile(): Promise<string> {
  const api = await account('main')
  const { body } = await api.upload('MMS', { fileName: 'a.jpg', content: makeJpeg(640, 480, 2_000) })
  assert.equal(body.code, 'A000', body.result)
  return body.data!.fileKey!
}
