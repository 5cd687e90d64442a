/** Theme and language, stored in the browser and applied before the first render. */
import { useSyncExternalStore } from 'react'
import { languages, type Language } from './languages.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export interface Preferences {
  readonly theme: Theme
  readonly language: Language
}

const storageKey = 'postern.preferences'
const listeners = new Set<() => void>()
let preferences = readPreferences()

export function applyPreferences(): void {
  const { documentElement } = document
  documentElement.lang = preferences.language
  if (preferences.theme === 'system') delete documentElement.dataset.theme
  else documentElement.dataset.theme = preferences.theme
}

export function setPreferences(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change }
  try {
    localStorage.setItem(storageKey, JSON.stringify(preferences))
  } catch {
    // Without storage, preferences last until the page is closed.
  }
  applyPreferences()
  for (const listener of listeners) listener()
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => preferences,
  )
}

function readPreferences(): Preferences {
  const browser: Language = navigator.language.startsWith('ko') ? 'ko' : 'en'
  const standard: Preferences = { theme: 'system', language: browser }
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, unknown>
    return {
      theme: themes.find((theme) => theme === kept.theme) ?? standard.theme,
      language: languages.find((language) => language === kept.language) ?? standard.language,
    }
  } catch {
    return standard
  }
}
