import { defineTexts } from '../texts/texts.ts'

/** Advice by problem code. For other codes the message is enough. */
export const problemAdvice = defineTexts(
  {
    'invalid-request': 'Correct the field named in the message.',
    'reason-missing': 'Enter a reason.',
    'not-found': 'Search the list.',
    refused: 'Follow the message, then try again.',
    unauthenticated: 'Sign in again.',
    'wrong-sign-in':
      'Try again with the next code of your authenticator app, or a recovery code. An admin can reset your password and your second factor.',
    'first-key': 'Replace the key with `postern operator key rotate` and use the new one.',
    'cross-site': 'Open the console at its own URL.',
    'no-role': 'Ask an admin to add you to a group with a role for this gateway, then sign in again.',
    forbidden: 'Ask an operator who has the right.',
    'account-blocked': 'Ask the operator of the gateway to unblock the account.',
    'second-operator-needed': 'Ask another operator to do this.',
    'already-exists': 'Choose another name.',
    repeated: 'Reload the page to see what was done.',
    stale: 'Reload the page and check the current state.',
    unavailable:
      'Try again in a few seconds. Until then this page is outdated. If the problem persists, check the gateway log.',
    internal: 'Check the gateway log and report a bug.',
    unreachable: 'Check your network and that the admin API process is running.',
    unreadable: 'Try again. If the problem persists, check the gateway log.',
    'console-error': 'Reload the page. If the problem persists, report a bug.',
  },
  {
    'invalid-request': '메시지에 표시된 항목을 수정하세요.',
    'reason-missing': '사유를 입력하세요.',
    'not-found': '목록에서 검색하세요.',
    refused: '메시지의 안내를 따른 뒤 다시 시도하세요.',
    unauthenticated: '다시 로그인하세요.',
    'wrong-sign-in':
      '인증 앱의 다음 코드나 복구 코드로 다시 시도하세요. 비밀번호와 2단계 인증은 관리자가 초기화할 수 있습니다.',
    'first-key': '`postern operator key rotate`로 키를 교체한 뒤 새 키를 사용하세요.',
    'cross-site': '콘솔의 원래 주소로 접속하세요.',
    'no-role': '이 게이트웨이의 역할이 있는 그룹에 추가해 달라고 관리자에게 요청한 뒤 다시 로그인하세요.',
    forbidden: '권한이 있는 운영자에게 요청하세요.',
    'account-blocked': '게이트웨이 운영자에게 계정 차단 해제를 요청하세요.',
    'second-operator-needed': '다른 운영자에게 요청하세요.',
    'already-exists': '다른 이름을 선택하세요.',
    repeated: '페이지를 새로 고쳐 처리 결과를 확인하세요.',
    stale: '페이지를 새로 고쳐 현재 상태를 확인하세요.',
    unavailable:
      '잠시 후 다시 시도하세요. 그때까지 이 페이지의 값은 최신이 아닙니다. 계속되면 게이트웨이 로그를 확인하세요.',
    internal: '게이트웨이 로그를 확인하고 버그를 신고하세요.',
    unreachable: '네트워크 연결과 관리 API 프로세스의 실행 여부를 확인하세요.',
    unreadable: '다시 시도하세요. 계속되면 게이트웨이 로그를 확인하세요.',
    'console-error': '페이지를 새로 고치세요. 계속되면 버그를 신고하세요.',
  },
)
