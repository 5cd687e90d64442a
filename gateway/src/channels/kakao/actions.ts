/**
 * The link fields that buttons, quick replies, coupons and cards share, the chat and form fields of buttons and
 * quick replies, and which of them each action type requires. Other link fields are accepted and ignored: some
 * SDKs fill them all.
 */
import { Type } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { isEmptyText, requireValue } from './check.ts'

export const linkFields = {
  urlMobile: Type.Optional(Type.String({ description: 'Address opened on a phone' })),
  urlPc: Type.Optional(Type.String({ description: 'Address opened on a computer' })),
  schemeAndroid: Type.Optional(Type.String({ description: 'App scheme opened on Android' })),
  schemeIos: Type.Optional(Type.String({ description: 'App scheme opened on iOS' })),
}

export const chatFields = {
  chatExtra: Type.Optional(
    Type.String({ description: 'Handed over when the chat moves to a consultant or bot' }),
  ),
  chatEvent: Type.Optional(Type.String({ description: 'Bot event the chat moves to' })),
}

export const formFields = {
  bizFormKey: Type.Optional(Type.String({ description: 'Key of a business form; BF needs it or bizFormId' })),
  bizFormId: Type.Optional(Type.String({ description: 'Id of a business form; BF needs it or bizFormKey' })),
}

export interface Action {
  readonly type: string
  readonly urlMobile?: string
  readonly schemeAndroid?: string
  readonly schemeIos?: string
  readonly bizFormId?: string
  readonly bizFormKey?: string
}

export function checkAction(action: Action, code: ResultCode, path: string, issues: Issues): void {
  switch (action.type) {
    case 'WL':
      requireValue(action.urlMobile, code, `${path}.urlMobile`, issues, 'is required for a web link (WL)')
      return
    case 'AL': {
      const targets = [action.schemeIos, action.schemeAndroid, action.urlMobile]
      const targetCount = targets.filter((target) => !isEmptyText(target)).length
      if (targetCount >= 2) return
      const reason = `type AL needs at least two of schemeIos, schemeAndroid and urlMobile, found ${targetCount}`
      issues.add(invalidField(code, path, reason))
      return
    }
    case 'BF':
      if (isEmptyText(action.bizFormId) && isEmptyText(action.bizFormKey)) {
        issues.add(invalidField(code, `${path}.bizFormId`, 'type BF requires it or bizFormKey'))
      }
      return
    default:
  }
}
