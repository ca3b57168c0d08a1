// cardctl.exe: starts the Node.js of its folder with the program. What follows the name of the program on the command line
// is handed on as it is, so no argument is split, expanded or quoted again, as a .cmd file would do. Without a C library.
#include <windows.h>

#define LONGEST 32768

static WCHAR self[LONGEST], line[LONGEST * 2], node[LONGEST];
static STARTUPINFOW start;
static PROCESS_INFORMATION child;
static JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;

static WCHAR *put(WCHAR *to, const WCHAR *text) {
  while (*text) *to++ = *text++;
  *to = 0;
  return to;
}

/** The program gets the same event and decides. A console that closes ends whoever returns, so wait for the program. */
static BOOL WINAPI leave_it(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

static void fail(const char *why) {
  DWORD written, length = 0;
  while (why[length]) length++;
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), why, length, &written, NULL);
  ExitProcess(3);
}

/** The folder of this program, with its last backslash, also if it was started by a link. */
static void find_self(void) {
  GetModuleFileNameW(NULL, self, LONGEST);
  if (GetFileAttributesW(self) & FILE_ATTRIBUTE_REPARSE_POINT) {
    HANDLE file = CreateFileW(self, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL);
    if (file != INVALID_HANDLE_VALUE) {
      DWORD length = GetFinalPathNameByHandleW(file, line, LONGEST, 0);
      // It begins with \\?\, and with \\?\UNC\ on another machine.
      BOOL is_remote = line[4] == 'U' && line[5] == 'N' && line[6] == 'C' && line[7] == '\\';
      if (length > 7 && length < LONGEST) put(is_remote ? put(self, L"\\") : self, line + (is_remote ? 7 : 4));
      CloseHandle(file);
    }
  }
  WCHAR *last = self;
  for (WCHAR *at = self; *at; at++) if (*at == '\\') last = at + 1;
  *last = 0;
}

/** What follows the name of the program, by the rule that its own arguments are found by. */
static const WCHAR *arguments(void) {
  const WCHAR *at = GetCommandLineW();
  for (BOOL quoted = FALSE; *at && (quoted || (*at != ' ' && *at != '\t')); at++) if (*at == '"') quoted = !quoted;
  return at;
}

/** The program ends with this process, however that ends; servers that it leaves running don't. */
static HANDLE make_job(void) {
  HANDLE job = CreateJobObjectW(NULL, NULL);
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

void __stdcall cardctl(void) {
  DWORD code = 1;
  find_self();
  put(put(node, self), L"runtime\\node.exe");
  put(put(put(put(put(put(line, L"\""), node), L"\" \""), self), L"bin\\run.js\""), arguments());
  SetConsoleCtrlHandler(leave_it, TRUE);
  GetStartupInfoW(&start);
  HANDLE job = make_job();
  if (!CreateProcessW(node, line, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &start, &child))
    fail("cardctl.exe can't start runtime\\node.exe beside it. Unpack the whole folder again.\n");
  AssignProcessToJobObject(job, child.hProcess);
  ResumeThread(child.hThread);
  WaitForSingleObject(child.hProcess, INFINITE);
  GetExitCodeProcess(child.hProcess, &code);
  ExitProcess(code);
}
