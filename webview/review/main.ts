import './review.css';
import type { ToReviewPage } from '../../src/shared/changes/reviewPage';
import { startEditorPage } from '../base/editorPage';
import { ReviewPage, type PageMemory } from './reviewPage';

startEditorPage<ToReviewPage, PageMemory>(
  ['review', 'reviewContent', 'reviewChanged', 'decided', 'comments', 'commentSent', 'commentEdited', 'focusReview'],
  { view: 'auto', showsDecided: false },
  (...parts) => new ReviewPage(...parts),
);
