// What a person or another program does to cardctl on Windows, for test/soak/windows.ts:
//   hold FILE MS       keeps a file open for itself alone
//   ctrl-c MS COMMAND  runs a command and presses Ctrl-C after a time
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

static BOOL WINAPI ignore(DWORD event) { return TRUE; }

static int hold(const WCHAR *file, DWORD ms) {
  HANDLE held = CreateFileW(file, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
  if (held == INVALID_HANDLE_VALUE) return 1;
  puts("held");
  fflush(stdout);
  Sleep(ms);
  return 0;
}

static int press(DWORD ms, WCHAR *command) {
  STARTUPINFOW start = {sizeof start};
  PROCESS_INFORMATION child;
  DWORD code = 1;
  // A new console replaces them.
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  start.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  FreeConsole();
  if (!AllocConsole() || !SetConsoleCtrlHandler(ignore, TRUE)) return 90;
  if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) return 91;
  Sleep(ms);
  if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return 92;
  WaitForSingleObject(child.hProcess, 60000);
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}

int wmain(int argc, WCHAR **argv) {
  if (argc != 4) return 99;
  if (!wcscmp(argv[1], L"hold")) return hold(argv[2], _wtoi(argv[3]));
  if (!wcscmp(argv[1], L"ctrl-c")) return press(_wtoi(argv[2]), argv[3]);
  return 99;
}
