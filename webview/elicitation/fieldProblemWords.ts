import * as l10n from '@vscode/l10n';
import type { TextFormat } from '../../src/shared/forms/elicitation';
import type { FieldProblem } from '../../src/shared/forms/formModel';

/** Returns a field's problem as a sentence that says what to do. If the field has a description, it is used instead of the pattern. */
export function problemWords(problem: FieldProblem, isDescribed = false): string {
  switch (problem.what) {
    case 'missing':
      return l10n.t('This field is required.');
    case 'notChosen':
      return l10n.t('Select an option.');
    case 'notOffered':
      return l10n.t('Select one of the options.');
    case 'notWhole':
      return l10n.t('Enter a whole number, such as 3');
    case 'notNumber':
      return l10n.t('Enter a number, such as 1.5');
    case 'tooLarge':
      return l10n.t('Enter a smaller number.');
    case 'minLength':
      return l10n.t('Use at least {0} characters (currently {1}).', problem.limit, problem.length);
    case 'maxLength':
      return l10n.t('Use at most {0} characters (currently {1}).', problem.limit, problem.length);
    case 'minimum':
      return l10n.t('Enter {0} or more.', problem.limit);
    case 'maximum':
      return l10n.t('Enter {0} or less.', problem.limit);
    case 'minItems':
      return l10n.t('Select at least {0}.', problem.limit);
    case 'maxItems':
      return l10n.t('Select at most {0}.', problem.limit);
    case 'format':
      return formatWords(problem.format);
    case 'pattern':
      return isDescribed
        ? l10n.t('Use the format described below.')
        : l10n.t('Enter text that matches the pattern {0}', problem.pattern);
  }
}

function formatWords(format: TextFormat): string {
  switch (format) {
    case 'email':
      return l10n.t('Enter an email address, such as name@example.com');
    case 'uri':
      return l10n.t('Enter a full URL, such as https://example.com/page');
    case 'date':
      return l10n.t('Enter a date, such as 2026-11-30');
    case 'date-time':
      return l10n.t('Enter a date and time, such as 2026-11-30 14:30');
  }
}
