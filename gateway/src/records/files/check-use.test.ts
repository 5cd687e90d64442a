import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireValid } from '../../channels/issues.ts'
import { Problem } from '../../contract/problem.ts'
import { createFileKey } from './file.ts'
import { toImgUrl, parseImgUrlKey, parseMediaKey, toMedia } from './references.ts'
import { account, newFile } from '../../../test/support/files/test-bed.ts'
import { checkFileUse, type FileUse } from './check-use.ts'

const now = new Date()
const mms: FileUse = { field: 'fileKey.0', serviceType: 'MMS' }
const wide = newFile({ serviceType: 'FRIENDTALK', kind: 'FW' })

test('returns a file that may be used', () => {
  const file = newFile({ expiresAt: new Date(now.getTime() + 1) })
  assert.equal(
    requireValid((issues) => checkFileUse(file, account.id, mms, now, issues)),
    file,
  )
  assert.equal(
    requireValid((issues) =>
      checkFileUse(wide, account.id, { field: 'imgUrl', serviceType: 'FRIENDTALK' }, now, issues),
    ),
    wide,
  )
})

const refusals: [description: string, check: () => unknown, text: string][] = [
  [
    'no file',
    () => requireValid((issues) => checkFileUse(null, account.id, mms, now, issues)),
    "Invalid or empty 'fileKey.0': file not found",
  ],
  [
    "another account's file",
    () => requireValid((issues) => checkFileUse(newFile({ accountId: 8 }), account.id, mms, now, issues)),
    "Invalid or empty 'fileKey.0': file not found",
  ],
  [
    'an expired file',
    () => requireValid((issues) => checkFileUse(newFile({ expiresAt: now }), account.id, mms, now, issues)),
    "Invalid or empty 'fileKey.0': the file has expired; upload it again",
  ],
  [
    'a file of another service',
    () => requireValid((issues) => checkFileUse(wide, account.id, mms, now, issues)),
    "Invalid or empty 'fileKey.0': the file was uploaded for FRIENDTALK/FW",
  ],
]
for (const [description, check, text] of refusals) {
  test(`refuses ${description} with A217`, () => {
    assert.throws(
      check,
      (error) => error instanceof Problem && error.code === 'A217' && error.message === text,
    )
  })
}

test('recognizes a file by its media and by its URL, and nothing else', () => {
  const key = createFileKey(now)
  assert.equal(parseMediaKey(toMedia(key)), key)
  for (const media of [
    '',
    'maapfile://',
    'maapfile://BR.abc.123',
    key,
    `maapfile://${key}x`,
    `http://${key}`,
  ]) {
    assert.equal(parseMediaKey(media), null, media)
  }
  for (const base of ['https://files.example/images', 'https://files.example/images/']) {
    assert.equal(toImgUrl(base, key), `https://files.example/images/${key}`)
    assert.equal(parseImgUrlKey(base, toImgUrl(base, key)), key)
    for (const address of [
      key,
      `https://evil.example/images/${key}`,
      `https://files.example/images/../${key}`,
    ]) {
      assert.equal(parseImgUrlKey(base, address), null, address)
    }
  }
})
