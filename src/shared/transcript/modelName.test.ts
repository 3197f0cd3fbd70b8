import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import { modelName } from './modelName';
import type { SessionView } from './transcript';

test('returns the name of the selected model, or its id', () => {
  const choices = [{ value: 'm1', name: 'Model One' }];
  const nameWith = (...options: readonly object[]) =>
    modelName({ ...emptyView, configOptions: options as unknown as SessionView['configOptions'] });
  const mode = { id: 'mode', type: 'select', category: 'mode', currentValue: 'm1', choices };
  const model = { id: 'x', type: 'select', category: 'model', currentValue: 'm1', choices };
  assert.equal(nameWith(mode, model), 'Model One');
  assert.equal(nameWith(mode, { ...model, category: 'other', via: 'models' }), 'Model One');
  assert.equal(nameWith({ ...model, currentValue: 'm2' }), 'm2');
  assert.equal(nameWith(mode), undefined);
  assert.equal(nameWith({ ...model, type: 'boolean' }), undefined);
});
