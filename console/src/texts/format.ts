/** Formats numbers, durations and times for display. */
import type { Language } from '../preferences/languages.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', ko: 'ko-KR' }

export function formatCount(count: number, language: Language): string {
  return new Intl.NumberFormat(locales[language]).format(count)
}

/** Abbreviates a number: 12,345 becomes 12.3k. */
export function formatShort(count: number): string {
  if (count < 10_000) return String(Math.round(count))
  if (count < 1_000_000) return `${trim(count / 1_000)}k`
  return `${trim(count / 1_000_000)}M`
}

export function formatRate(perSecond: number | null): string {
  if (perSecond === null) return '–'
  return perSecond < 10 ? trim(perSecond) : formatShort(perSecond)
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

const units: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  en: ['s', 'min', 'h', 'd'],
  ko: ['초', '분', '시간', '일'],
}

/** Formats a duration with at most two units: `42 s`, `3 min 5 s`, `2 h 10 min`, `4 d 3 h`. */
export function formatDuration(seconds: number, language: Language): string {
  const whole = Math.max(0, Math.round(seconds))
  const [s, min, h, d] = units[language]
  const gap = language === 'ko' ? '' : ' '
  const join = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
    small === 0 ? `${big}${gap}${bigUnit}` : `${big}${gap}${bigUnit} ${small}${gap}${smallUnit}`
  if (whole < 60) return `${whole}${gap}${s}`
  if (whole < 3_600) return join(Math.floor(whole / 60), min, whole % 60, s)
  if (whole < 86_400) return join(Math.floor(whole / 3_600), h, Math.floor((whole % 3_600) / 60), min)
  return join(Math.floor(whole / 86_400), d, Math.floor((whole % 86_400) / 3_600), h)
}

/** Includes the time zone, because carriers, the database and operators may use different ones. */
export function formatTime(at: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(at))
}

/** Formats the time without the date, where the day is obvious. */
export function formatClock(at: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(new Date(at))
}
