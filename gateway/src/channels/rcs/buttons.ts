/**
 * Checks the buttons of the simple style (those in `content`, see schema.ts) against limits.ts: their number,
 * the length of their labels, and that each has the fields of its type and no others.
 */
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { buttonFields, buttonRows, type ButtonField, type RcsButtonRow, type FieldRule } from './limits.ts'
import type { RcsButton } from './schema.ts'
import { isAddress, isDegrees, isPhone, isTime, isWebAddress, countCharacters } from './values.ts'

export interface RcsButtonLimits {
  readonly buttonsPerCard: number
  readonly buttonLabel: number
}

export function checkRcsButtons(
  buttons: readonly RcsButton[],
  limits: RcsButtonLimits,
  path: string,
  issues: Issues,
): void {
  if (buttons.length > limits.buttonsPerCard) {
    const reason = `must have at most ${limits.buttonsPerCard} items on this card, found ${buttons.length}`
    issues.add(invalidField('A406', path, reason))
  }
  for (const [index, button] of buttons.entries()) {
    if (issues.isSettled()) return
    checkButton(button, limits, `${path}[${index}]`, issues)
  }
}

function checkButton(button: RcsButton, limits: RcsButtonLimits, path: string, issues: Issues): void {
  checkLabel(button.name, limits, 'A427', `${path}.name`, issues)
  const row: RcsButtonRow = buttonRows[button.type]
  for (const name of buttonFields) {
    const value = button[name]
    const reason = describeFieldError(button.type, row, name, value === '' ? undefined : value)
    if (reason !== null) issues.add(invalidField(row.code, `${path}.${name}`, reason))
  }
  const { startTime, endTime } = button
  if (startTime !== undefined && endTime !== undefined && Date.parse(endTime) < Date.parse(startTime)) {
    issues.add(
      invalidField(
        row.code,
        `${path}.endTime`,
        `must not be before startTime ${startTime}, found ${endTime}`,
      ),
    )
  }
}

/** Returns the error text for a present or absent field of the button, or null if it is valid. */
function describeFieldError(
  type: string,
  row: RcsButtonRow,
  name: ButtonField,
  value: string | undefined,
): string | null {
  if (value === undefined) return row.fields[name] === undefined ? null : `is required on a ${type} button`
  const rule = row.fields[name] ?? row.optional?.[name]
  if (rule !== undefined) return describeValueError(value, rule)
  return row.ignored?.includes(name) === true ? null : `is not allowed on a ${type} button`
}

export function checkLabel(
  label: string,
  limits: RcsButtonLimits,
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  const length = countCharacters(label)
  if (length === 0 || length > limits.buttonLabel) {
    issues.add(invalidField(code, path, `must be 1 to ${limits.buttonLabel} characters, found ${length}`))
  }
}

/** Returns the error text for a value, or null if it is valid. */
function describeValueError(value: string, rule: FieldRule): string | null {
  if ('max' in rule && rule.max !== null && countCharacters(value) > rule.max) {
    return `must be at most ${rule.max} characters, found ${countCharacters(value)}`
  }
  switch (rule.valueType) {
    case 'text':
      return null
    case 'address':
      if (rule.scheme === 'web')
        return isWebAddress(value) ? null : `must begin with http:// or https://, found ${quote(value)}`
      return isAddress(value) ? null : `must be an absolute address such as https://…, found ${quote(value)}`
    case 'degrees': {
      if (isDegrees(value, rule.bound)) return null
      return `must be decimal degrees from -${rule.bound} to ${rule.bound}, found ${quote(value)}`
    }
    case 'time':
      return isTime(value) ? null : `must be a time such as 2026-01-31T09:00:00+09:00, found ${quote(value)}`
    case 'phone':
      return isPhone(value) ? null : 'must be 3 to 15 digits, with or without a leading +'
  }
}
