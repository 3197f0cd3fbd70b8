import './tries.css';
import type { ToTriesPage } from '../../src/shared/changes/triesPage';
import { startEditorPage } from '../base/editorPage';
import { TriesPage, type TriesMemory } from './triesPage';

startEditorPage<ToTriesPage, TriesMemory>(
  { tries: true, differences: true, done: true, cleanUpList: true, focusTries: true },
  { view: 'auto' },
  (...parts) => new TriesPage(...parts),
);
