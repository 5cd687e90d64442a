/** Assertions and values for tests of the channels, above all those of Kakao. */
import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { Problem } from '../../../src/contract/problem.ts'

/** Matcher for assert.throws with this code, path and reason. */
export function refused(code: string, path: string, reason?: RegExp): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    const [, name] = /^Invalid or empty '([^']*)': ./.exec(error.message) ?? []
    assert.deepEqual([error.code, name], [code, path], error.message)
    if (reason !== undefined) assert.match(error.message, reason)
    return true
  }
}

export const fits = (schema: TSchema, body: unknown): boolean => Value.Check(schema, body)

export const letters = (count: number): string => '가'.repeat(count)
