/** Selects the theme and the language. */
import { setPreferences, themes, usePreferences, type Theme } from '../preferences/preferences.ts'
import { languages, type Language } from '../preferences/languages.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

/** Each name is in its own language, for operators who cannot read the current one. */
const names: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어' }

export function Choices() {
  const t = useTexts(shared)
  const { theme, language } = usePreferences()
  return (
    <div className="choices">
      <label>
        {t.theme}
        <select
          className="select"
          value={theme}
          onChange={(event) => setPreferences({ theme: event.target.value as Theme })}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {t[`theme-${one}`]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t.language}
        <select
          className="select"
          value={language}
          onChange={(event) => setPreferences({ language: event.target.value as Language })}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {names[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
