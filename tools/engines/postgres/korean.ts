// The server reports its errors in Korean where that locale is installed, so that tests fail if the gateway decides by
// the text of an error. A server refuses to start with a locale that is missing.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isRoot } from '../paths.ts'
import { debianRoot } from '../releases.ts'

export const koreanLocale = 'ko_KR.UTF-8'

export function hasKoreanLocale(): boolean {
  // Roots of newer engines have no locale.
  if (debianRoot() !== undefined) return false
  const { status, stdout } = spawnSync('locale', ['-a'], { encoding: 'utf8' })
  return status === 0 && /^ko_KR\.utf-?8$/im.test(stdout)
}

/** The definitions from which a locale is compiled, of Debian's package `locales`. */
export const hasLocaleSources = (): boolean => existsSync('/usr/share/i18n/locales/ko_KR')

export function installKoreanLocale(): void {
  if (hasKoreanLocale() || !isRoot) return
  const compiled = spawnSync('localedef', ['-i', 'ko_KR', '-f', 'UTF-8', koreanLocale], { encoding: 'utf8' })
  if (!hasKoreanLocale()) throw new Error(`localedef failed:\n${compiled.stderr}`)
}
